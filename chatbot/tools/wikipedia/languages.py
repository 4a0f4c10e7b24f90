"""The editions of Wikipedia, and the code of the one that a caller means."""

import re

from chatbot.language import lemmas
from chatbot.tools.echo import echo

POLISH = "pl"
_CODE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8}){0,2}|simple|tarantino")
_EDITIONS = """
    ab ace ady af als alt am ami an ang ann anp ar arc ary arz as ast atj av avk awa ay az azb ba
    ban bar bat-smg bbc bcl bdr be be-tarask be-x-old bew bg bh bi bjn blk bm bn bo bpy br bs btm
    bug bxr ca cbk-zam cdo ce ceb ch chr chy ckb co cr crh cs csb cu cv cy da dag de dga din diq
    dsb dtp dty dv dz ee el eml en eo es et eu ext fa fat ff fi fiu-vro fj fo fon fr frp frr fur fy
    ga gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur guw gv ha hak haw he hi hif hr hsb ht
    hu hy hyw ia iba id ie ig igl ik ilo inh io is it iu ja jam jbo jv ka kaa kab kbd kbp kcg kg kge
    ki kk kl km kn knc ko koi krc ks ksh ku kus kv kw ky la lad lb lbe lez lfn lg li lij lld lmo ln
    lo lt ltg lv lzh mad mai map-bms mdf mg mhr mi min mk ml mn mni mnw mos mr mrj ms mt mwl my myv
    mzn nah nan nap nds nds-nl ne new nia nl nn no nov nqo nr nrm nso nup nv ny oc olo om or os pa
    pag pam pap pcd pcm pdc pfl pi pih pl pms pnb pnt ps pt pwn qu rki rm rmy rn ro roa-rup roa-tara
    rsk ru rue rup rw sa sah sat sc scn sco sd se sg sgs sh shi shn shy si simple sk skr sl sm smn
    sn so sq sr srn ss st stq su sv sw syl szl szy ta tay tcy tdd te tet tg th ti tig tk tl tly tn
    to tpi tr trv ts tt tum tw ty tyv udm ug uk ur uz ve vec vep vi vls vo vro wa war wo wuu xal xh
    xmf yi yo yue za zea zgh zh zh-classical zh-min-nan zh-yue zu
"""
_CODES = frozenset(_EDITIONS.split())
_NAMES = {
    "polski": POLISH,
    "angielski": "en",
    "niemiecki": "de",
    "francuski": "fr",
    "hiszpański": "es",
    "włoski": "it",
    "rosyjski": "ru",
    "ukraiński": "uk",
    "białoruski": "be",
    "litewski": "lt",
    "czeski": "cs",
    "słowacki": "sk",
    "węgierski": "hu",
    "portugalski": "pt",
    "niderlandzki": "nl",
    "holenderski": "nl",
    "szwedzki": "sv",
    "japoński": "ja",
    "chiński": "zh",
    "łaciński": "la",
    "śląski": "szl",
    "kaszubski": "csb",
    "english": "en",
    "polish": POLISH,
    "german": "de",
}


def read_language(value: object) -> str:
    """The code of an edition that exists: "PL" → "pl", "angielska" → "en".

    It becomes part of an address, so nothing but a known code may pass.

    Raises:
        ValueError: there is no such edition; the message is Polish, for the user.
    """
    given = str(value).strip().lower()
    code = _NAMES.get("".join(lemmas(given)), given)
    if not _CODE.fullmatch(code):
        raise ValueError(
            f"„{echo(given, longest=40)}” nie jest kodem języka Wikipedii. "
            "Podaj na przykład „pl” albo „en”."
        )
    if code not in _CODES:
        raise ValueError(
            f"Nie ma Wikipedii w języku o kodzie „{code}”. Podaj na przykład „pl” albo „en”."
        )
    return code
