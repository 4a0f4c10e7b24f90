"""How a picture is asked for: verbs in all forms that ask, wishes, and politeness around them."""

from chatbot.language.patterns import regex

_PREFIX = r"(?:na|wy|od|do|za|z|ze|prze|przy|po|u|o)?"
_STEM = (
    r"(?:rys|mal|szkic|gener|ilustr|wizualiz|obraz|projekt|got|render|czar|produk|kompon|kombin|"
    r"dizajn|design)"
)
_OWAC = rf"{_PREFIX}{_STEM}(?:uj(?:cie|my|ze|esz|ecie)?|owac|owal[aiy]?by(?:s|scie|m)?)"
_SO_THAT = (
    r"(?:zeby|aby|by)s(?:cie)?(?: (?:mi|nam|dla mnie|teraz|prosze|jeszcze|tez|tak))*"
    rf"(?:(?: (?:cos|jakis|jakas|jakies|obraz\w*|rysun\w+|grafik\w+))*)"
    rf" (?:{_PREFIX}{_STEM}owal[aiy]?|(?:z|s)robil[aiy]?|stworzyl[aiy]?)"
)
_OTHER = (
    r"(?:stworz|utworz|zrob|przedstaw|wymysl)(?:cie|my|ze|isz|ysz|icie|ycie|ic|yc|"
    r"[iy]l[aiy]?by(?:s|scie)?)?|zrub|"
    r"wykona(?:j|jcie|sz|c|l[aiy]?bys)|opracuj(?:cie)?|opracowac|poka(?:z|zac|zesz|zcie|zal\w*bys)?|"
    r"daj(?:cie)?|dej|dawaj|zapodaj|zapodej|machn(?:ij|iesz)\w*|walnij|trzasnij|pierdykn\w+|strzel|"
    r"ciachn\w+|skrob\w*|nabazgr\w+|sketchn\w+|uwieczni(?:j|c|sz)|uchwyc(?:ic)?|udowodnij obrazkiem"
)
VERB = rf"{_SO_THAT}|{_OWAC}|{_OTHER}"
"""What asks for a picture, over folded text: imperatives, infinitives, "namalujesz", "-łbyś"."""

WISH = (
    r"poprosze(?: o)?|poprosimy(?: o)?|prosze (?:cie |was |pana |pania |panstwa )?o|"
    r"prosilbym o|prosilabym o|prosba o|mam (?:\w+ )?prosbe(?:: ?|, ?| o )|"
    r"(?:bardzo )?chc(?:e|emy)(?: zobaczyc| dostac| miec| prosic o| zamowic)?|"
    r"(?:bardzo )?chcial(?:bym|abym|ibysmy)(?: zobaczyc| dostac| miec| ujrzec| prosic o|"
    r" poprosic o| zamowic| otrzymac)?|pragne(?: ujrzec| zobaczyc)?|"
    r"(?:czy )?mog[el]?(?:bym|labym)? prosic o|wole|prosic o|potrzebuj(?:e|emy)|"
    r"potrzeba(?: mi| nam)?(?= \w)|potrzebn[yae](?: (?:mi|nam))?(?: (?:jest|bylby|bylaby))?|"
    r"(?:jest |bylby |bylaby )?(?:mi|nam) potrzebn[yae]|"
    r"przyda(?:lby|laby|loby)?(?: (?:mi|nam|sie)){1,2}|marzy (?:mi|nam) sie|"
    r"brakuje (?:mi|nam)|mam na mysli|mam ochote na|zalezy (?:mi|nam) na|chodzi (?:mi|nam) o|"
    r"zamawiam|zamowie|"
    r"zwracam(?:y)? sie z (?:\w+ )?prosba o|(?:uprzejmie )?prosimy o|ma powstac|niech powstanie|"
    r"widze(?: to tak)?|mam (?:taki? )?(?:w glowie|wizje|pomysl)|wymyslil[ae]m(?: sobie)?|"
    r"pomyslal[ae]m o|wyobrazam sobie|(?:za)?zyczyl[ao]?(?: sobie)?|zycze sobie|"
    r"co powiesz na|zobaczyc|dostac|otrzymac|"
    r"(?:ciekawe |a )?jak ?by (?:mogl\w* )?wygladal\w*(?: by)?|jak (?:moze|moglby) wygladac|"
    r"jak wygladal(?:by|aby|oby)"
)
GERUND = (
    r"(?:narysowani|namalowani|wygenerowani|stworzeni|przygotowani|zaprojektowani|sporzadzeni|"
    r"wykonani|naszkicowani|utworzeni|zilustrowani|opracowani|zrobieni)[ea]"
)
_PLEASE = (
    r"(?:mi|mnie|nam|dla mnie|prosze(?: (?:cie|was|bardzo))?|prosem|piyknie|teraz|szybko|"
    r"szybciutko|moze|sobie|no|eee+|"
    r"yyy+|jakis|jakas|jakies|jakiegos|jakichs|jakos|taki|taka|takie|takiego|takiej|jeden|jedna|"
    r"jedno|jednego|od ciebie|graficznie|na obrazku|na rysunku|wiesz|tak|o|od razu|weź|wez|weznij|"
    r"tu|ladnie|pilnie|"
    r"(?:na|od) (?:jutro|wczoraj|dzis|dzisiaj|zaraz|juz|teraz)|"
    r"znow|znowu|wreszcie|na wlasne oczy|tez|jeszcze|dzisiaj|dzis|pan|pani|sie|ktos|"
    r"(?:jesli|jezeli|jak|o ile) (?:mozesz|mozna|potrafisz|umiesz|dasz rade|sie da|to mozliwe|"
    r"to nie (?:problem|klopot)|masz chwile))"
)
_POLITE = (
    r"(?:hej(?:ka)?|ej|siema|czesc|witam|dzien dobry|okej|ok|dobra|no|to|teraz|a|wez|weź|prosze|"
    r"czy|moglbys|moglabys|mozesz|potrafisz|umiesz|jeszcze|sluchaj|dawaj|bardzo|tak|tylko|mi|i|"
    r"da(?:sz|lbys|labys) rade|da(?:loby)? sie|zechcialbys|zechcialabys|sprobuj|moze)"
)
ASKED = regex(
    r"(?<!\w)(?<!\bnie )(?<!\bumiem )(?<!\bpotrafie )(?<!\blubie )"
    rf"(?:(?:{_POLITE})[\s,!.]+){{0,6}}(?:(?:{VERB})|(?:{WISH}))(?!\w)"
    rf"(?:\s*[,–-]?\s*(?:{GERUND}|{_PLEASE})(?!\w),?){{0,6}}"
    rf"(?:\s+(?:{VERB}|{GERUND}|jak ?(?:by )?wygladal\w*)(?!\w)(?:\s+{_PLEASE}(?!\w)){{0,3}})?"
)
"""One whole request, from its politeness to the object: "czy mógłbyś mi, proszę, narysować"."""

QUOTED = regex(r"„[^”\"]*[”\"]|\"[^\"]*\"|«[^»]*»|'[^']*'(?!\w)")
"""What is written on a picture, or what others said."""
