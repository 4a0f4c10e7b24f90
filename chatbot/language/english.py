"""Common English words, to tell English from Polish where a word is both ("to", "on", "park")."""

ENGLISH = frozenset(
    """
    a an the this that these those some any every each all both no not and or but nor of in on at by
    for from with without into onto over under above below between behind beside near around across
    through during before after to up down out off as is are was were be been being has have had
    having does do did will would can could should may might must it its he she they them his her
    their him who which whose what where when while i me my we us our you your one two three four
    five six seven eight nine ten very more less many few much other such only just also too so
    than then there here like looking look watching watch sitting sit standing stand walking walk
    running run flying fly sleeping sleep eating eat drinking drink playing play holding hold
    wearing wear reading read smiling smile riding ride jumping jump swimming swim painting painted
    paint drawing drawn draw drawing sketch portrait picture image photo photograph photorealistic
    illustration poster logo cover icon style styled inspired art artistic artwork watercolor
    watercolour oil pencil ink digital cartoon anime comic realistic detailed high quality
    resolution cinematic dramatic soft warm cold light lighting dark bright shadow shadows black
    white red green blue yellow orange purple pink brown grey gray gold golden silver colorful
    colourful color colour colors vivid pastel big small large little huge tiny old young new
    ancient modern medieval beautiful cute happy sad angry funny lonely magical mysterious man woman
    men women boy girl child children people person king queen knight princess wizard robot alien
    astronaut pirate dog dogs cat cats puppy kitten horse horses bird birds fish fox wolf bear lion
    tiger elephant owl dragon unicorn dinosaur rabbit mouse cow sheep bee butterfly tree trees
    forest wood woods mountain mountains hill hills river lake sea ocean beach island sky cloud
    clouds sun moon star stars rain snow storm fog mist night day morning evening sunset sunrise
    dawn dusk spring summer autumn fall winter city town village street road bridge house houses
    home castle tower church cathedral palace garden park field meadow flower flowers rose grass
    leaf leaves water fire ice stone rock sand wall window door room table chair bed lamp book books
    coffee tea cup glass bottle bread cake apple fruit food car cars bus tram train plane airplane
    boat ship bicycle bike rocket spaceship space planet earth world future background foreground
    capital late machine zone mode role sale wine present modulo durch frog help case fact root
    traditional polish design minimalist abstract surreal fantasy scene view close closeup wide
    angle full body face eyes hair hand hands hat dress coat crown sword music guitar piano dance
    dancing ball game football market square old town snowy rainy sunny cloudy foggy wooden metal
    steam steampunk cyberpunk neon vintage retro cozy cosy calm peaceful quiet
    """.split()  # noqa: SIM905 - one word a line would be 400 lines
)
