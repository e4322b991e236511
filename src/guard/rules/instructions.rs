//! Rules for text that wants other instructions in force: dropped ones, another role, no safety.

use crate::guard::rule::Rule;

const OVERRIDE: &str = "it tells the agent to drop its instructions";
const ROLE: &str = "it gives the agent another role, without its rules";
const LEAK: &str = "it asks for the system prompt";
const FILTERS: &str = "it asks for the safety rules to be switched off";

/// The table.
pub(super) const RULES: &[Rule] = &[
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "ignor¦disregard¦forget¦overrid¦overlook¦bypass¦discard¦abandon¦set aside¦throw¦erase¦drop¦neglect¦pay no¦supersede¦cancel¦violate¦break¦disobey¦unlearn",
        r"\b(?: ignor(?:e|ing) | disregard(?:ing)? | forget(?:ting)? | overrid(?:e|ing) | overlook | bypass | discard | abandon
            | set¤0aside | throw¤1(?:away|out) | erase | drop | neglect | pay¤0no¤0(?:attention|heed)¤0to | supersede | cancel
            | violate | break | disobey | unlearn )
          ¤3 (?: (?:previous|previously|prior|above|earlier|preceding|past|former|initial|original|existing|your|system|foregoing|developer|safety)
               | (?:all|any|every)¤0(?:of¤0)?(?:the¤0|these¤0|those¤0)?(?:other¤0)? )
          (?:¤2|[^\w.!?]*) (?: instructions? | prompts? | guidelines? | directives? | directions | orders | constraints | programming | guardrails
               | (?:system|safety|core|previous|prior|earlier|original|your|all)¤0(?:rules?|policy|policies|training|limits|limitations|restrictions|message) )\b",
    )
    .unless_negated()
    .beside("instruction¦prompt¦guideline¦directive¦direction¦order¦constraint¦programming¦guardrail¦rule¦polic¦training¦limit¦restriction¦message"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "ignor¦disregard¦forget¦overrid",
        r"\b(?:ignore|disregard|forget|override)¤1
          (?: (?:everything|anything|whatever|all)¤1(?:you|that¤0(?:was|came|is)|above|before|said|written|told|taught|learned|instructed)
            | (?:your|all)¤1(?:previous|prior|earlier|safety|system)?(?:¤0)?(?:rules|training|restrictions|policies|limitations)
            | (?:what|the¤0things)¤0(?:you|they|the)¤0(?:were|have¤0been|had¤0been|was|developers?|system)¤1(?:told|taught|instructed|given|trained|asked|said) )",
    )
    .unless_negated(),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "follow¦obey¦comply¦bound¦adher¦apply¦void¦no longer¦obsolete¦revoked¦suspended",
        r"\b(?: (?:do¤0not|don't|stop|never|no¤0longer|cease|need¤0not)¤1(?:follow|following|obey|obeying|comply¤0with|complying¤0with|adhere¤0to|adhering¤0to|apply)
                ¤0(?:your|the|any|these|those|all)(?:¤0(?:of|your|the|previous|prior|original|system|safety|earlier|initial|developer|developer's))*¤0(?:instructions?|guidelines|rules|directives|prompt|policies|programming)
              | (?:no¤0longer|not)¤1bound¤0by¤3(?:instructions?|guidelines|rules|policies|policy|restrictions|guardrails)
              | your¤1(?:previous|prior|old|earlier|original|initial|system|current|existing)¤1(?:instructions?|guidelines|rules|prompt|directives)¤1(?:are|is|have¤0been|were)¤2(?:void|cancell?ed|obsolete|superseded|revoked|replaced|suspended|deprecated|invalid|no¤0longer) )",
    )
    .beside("instruction¦guideline¦rule¦directive¦prompt¦polic¦programming¦restriction¦guardrail"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "instruction¦directive¦message¦order¦note¦memory¦policy",
        r"\b(?:this|these|the¤0following|my)¤2(?:instructions?|directives?|messages?|orders?|notes?|memory|policy)¤1(?:has|have|take|takes|overrides?|supersedes?|outranks?|replaces?|cancels?|prevails?)¤1
          (?: (?:absolute|top|highest|full)?¤?(?:priority|precedence)¤0over | (?:over¤0)?(?:all|any|every|everything|your)¤2(?:instructions?|rules?|prompts?|guidelines|directives?|else|policies) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "treat¦consider¦regard¦interpret¦obey¦execute¦comply¦follow¦run ",
        r"\b(?: (?:treat|consider|regard|interpret)¤6(?:as|to¤0be)¤2(?:system|developer|admin|administrator|root|highest|top|absolute|binding|trusted|authoritative)[\ -]?(?:level|priority)?¤1(?:instructions?|prompts?|commands?|orders?|messages?|directives?|priority)
              | obey¤0(?:all|any|every|only|whatever|blindly|each)¤3(?:instructions?|commands?|orders?|requests?|says|say|message|messages|told)
              | (?:execute|run|follow|obey|comply¤0with)¤5without¤0(?:any¤0)?(?:question|questions|questioning|hesitation|verification|thinking) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "ignor¦oubli¦neglig¦passe¦outrepass¦contourn¦compte¦abstraction¦abandon¦ecart¦efface¦annul¦desobe¦fi ¦enfrein¦viol¦transgress¦jette¦laisse",
        r"\b(?: ignor(?:e|es|ez|er|ons) | oubli(?:e|es|ez|er|ons) | neglig(?:e|es|ez|er) | pass(?:e|ez|er)¤0outre | outrepass(?:e|ez|er) | contourn(?:e|ez|er)
            | (?:tiens|tenez|tenir|tient)¤1(?:pas|plus|aucun)¤1compte | (?:fais|faites|faire)¤1abstraction | (?:fais|faites|faire)¤0fi
            | abandonn(?:e|ez|er) | ecart(?:e|ez|er) | effac(?:e|ez|er) | annul(?:e|ez|er) | desobei(?:s|ssez|r) | enfrei(?:ns|gnez|ndre) | viol(?:e|ez|er)
            | transgress(?:e|ez|er) | jett?(?:e|ez|er) | laiss(?:e|ez|er)¤1(?:tomber|de¤0cote) )
          ¤3 (?: (?:tes|vos|ta|votre|ton)¤1(?:instructions?|consignes?|directives?|regles?|ordres?|prompt|programmation|restrictions|garde-fous|entrainement|limites|protocoles?)
               | (?:instructions?|consignes?|directives?|regles?|ordres?|recommandations|messages?|prompt|limites|contraintes)
                 ¤2(?:precedent(?:e?s?)|anterieur(?:e?s?)|initial(?:e?s?|aux)|d'origine|origine|ci-dessus|plus¤0haut|systeme|donnees|recues?|de¤0depart|prealables|de¤0securite|de¤0tes|de¤0vos|du¤0systeme|developpeurs?)
               | tout¤1(?:ce¤0(?:qui|qu'on|que)|le¤0reste)¤2(?:precede|dit|t'a|vous|avant|tu) )",
    )
    .unless_negated()
    .beside("instruction¦consigne¦directive¦regle¦ordre¦prompt¦programmation¦restriction¦garde-fou¦entrainement¦limite¦protocole¦recommandation¦message¦contrainte¦tout"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "suis¦suiv¦respect¦obei¦applique¦valables¦caduc¦annule¦tenu¦soumis¦en vigueur¦lie par¦lies par¦consignes¦instructions¦directives¦regles¦plus lie¦plus oblig¦plus contraint",
        r"\b(?: (?:ne|n')¤?(?:suis|suivez|suivre|respecte|respectez|respecter|obeis|obeissez|applique|appliquez)¤0(?:plus|pas|jamais)¤1(?:a¤0)?(?:tes|vos|les|aux|a¤0tes|a¤0vos)¤1(?:instructions|consignes|directives|regles|ordres|garde-fous)
              | (?:tes|vos)¤1(?:instructions|consignes|directives|regles|ordres)¤2(?:ne¤0sont¤0plus|n'ont¤0plus|sont)¤2(?:valables?|valides?|cours|caduques?|annule(?:e?s)|remplacee?s|suspendue?s|obsoletes?|en¤0vigueur|revoquee?s)
              | (?:n'es|n'etes)¤0plus¤1(?:tenue?s?|soumise?s?|liee?s?|obligee?s?|contrainte?s?)¤3(?:instructions|consignes|directives|regles|restrictions|limites|garde-fous) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "consigne¦instruction¦directive¦message¦ordre¦note¦obei¦execut¦suis¦suivez¦prompt¦commande",
        r"\b(?: (?:cette|ces|ce|cet|la¤0presente|les¤0presentes)¤1(?:consignes?|instructions?|directives?|messages?|ordres?|notes?)¤2(?:priment?|prime|annulent?|remplacent?|l'emportent?|prevalent|prevaut|passent?¤0avant|(?:a|ont)¤1priorite|est¤1prioritaire|sont¤1prioritaires)
                (?:¤1sur)?¤1(?:toutes?|tout|tous|les|tes|vos)
              | (?:traite|traitez|traiter|considere|considerez|considerer|interprete|interpretez)¤6comme¤2(?:instructions?|consignes?|ordres?|messages?|commandes?|directives?|prompt)¤1(?:systeme|prioritaires?|de¤0confiance|absolue?s?|de¤0l'administrateur|du¤0systeme|du¤0developpeur)
              | (?:obeis|obeissez|obeir)¤1(?:uniquement|seulement|aveuglement|toujours|exclusivement|desormais|sans)
              | (?:execute|executez|executer|obeis|obeissez|suis|suivez)¤5(?:aveuglement|sans¤0(?:discuter|poser¤0de¤0questions?|reflechir|verifier|broncher)) )",
    ),
    Rule::phrase(
        "role_hijack",
        ROLE,
        "you are¦you're¦act as¦pretend¦roleplay¦behave¦become¦do anything now¦jailbr¦dan mode¦unrestricted¦uncensored¦persona¦respond¦answer¦speak¦reply¦adopt¦enter¦enable¦activate¦switch¦engage",
        r"\b(?: you¤?(?:are|'re)¤1(?:now|henceforth|no¤0longer|actually|really)¤3(?:unrestricted|unfiltered|uncensored|jailbroken|evil|malicious|rogue|free¤0(?:of|from)|dan\b|without|bound|hacker|amoral|unbound|limitless)
              | you¤0are¤0(?:now|no¤0longer)¤0(?:an?|the|my)¤3(?:ai|model|assistant|chatbot|bot|agent|entity|persona|system|hacker|oracle|machine)\b
              | you¤0are¤0now¤1(?:in|running¤0in|operating¤0in|entering)¤2(?:dan|developer|god|jailbreak|unrestricted|debug|admin|root|maintenance|sudo)¤0mode
              | (?:act|behave|respond|answer|pretend|roleplay)¤1(?:as¤0if|as¤0though|that|like)?¤?(?:you|there)¤1(?:had|have|are|were|has)¤2(?:no|without|not¤0bound|free¤0(?:of|from)|unrestricted|unlimited|any¤0longer)
              | pretend¤1(?:to¤0be|you¤0are|you're|that¤0you¤0are)¤3(?:unrestricted|unfiltered|uncensored|evil|malicious|jailbroken|different|another|rogue|not¤0an?|no¤0longer|hacker|admin|administrator|root|system|developer)
              | (?:act|behave|speak|answer|respond|reply|roleplay)¤1as¤2(?:unrestricted|unfiltered|uncensored|evil|malicious|jailbroken|rogue|amoral|dan)\b
              | from¤0(?:now|today)¤0on¤?you(?:'re|¤0are)¤3(?:dan\b|unrestricted|unfiltered|uncensored|jailbroken|free¤0(?:of|from)|bound¤0by¤0no)
              | do¤0anything¤0now | (?:dan|jailbreak|jailbroken)¤0mode | (?:enter|enable|activate|switch¤0to|engage)¤2(?:god|unrestricted|uncensored|unfiltered)¤0mode
              | (?:become|adopt)¤3(?:unrestricted|unfiltered|uncensored|evil|malicious)¤1(?:ai|assistant|model|persona|agent|version) )",
    )
    .beside("now¦henceforth¦longer¦unrestrict¦unfilter¦uncensor¦jailb¦evil¦malicious¦rogue¦without¦not¦no ¦dan ¦anything¦admin¦root¦system¦developer¦hacker¦amoral¦different¦another¦free¦actually¦really¦unlimited"),
    Rule::phrase(
        "role_hijack",
        ROLE,
        "tu es¦vous etes¦n'es plus¦n'etes plus¦comporte¦agis¦fais comme¦faites comme¦pretends¦fais semblant¦joue¦jouez¦incarne¦mode¦deviens¦devenez¦repond¦faites¦parle¦passe¦active¦bascul¦entre",
        r"\b(?: (?:tu¤0es|vous¤0etes)¤0(?:maintenant|desormais|a¤0present|dorenavant|a¤0partir)¤4(?:sans¤1(?:restriction|limite|filtre|censure|regle|contrainte|morale|garde)\w*|libre|debride|illimite|non¤0censure|malveillant|pirate|hacker|administrateur|root|dan\b|jailbreak\w*|mode¤1(?:dan|developpeur|debug|maintenance|administrateur|libre|sans))
              | (?:tu¤0n'es|vous¤0n'etes)¤0plus¤1(?:une?|l')?¤?(?:ia|assistant|modele|agent|chatbot|claude|chatgpt|gpt|hermes)\b
              | (?:agis|agissez|comporte|comportez|reponds|repondez|fais|faites|parle|parlez)¤3(?:comme¤0si|en¤0faisant¤0comme¤0si)¤1(?:tu|vous)¤2(?:n'avais|n'aviez|n'as|n'avez|etais|etiez|ne|pouvais|pouviez)¤3(?:aucune?|pas|plus|sans|libre|regle|limite|filtre|restriction|tout)
              | (?:pretends|pretendez|fais¤0semblant|faites¤0semblant|joue|jouez|incarne|incarnez|deviens|devenez|agis|agissez)¤5(?:sans¤1(?:restriction|limite|filtre|censure|regle|morale)\w*|non¤0censure|malveillant|debride|aucune?¤1(?:regle|limite|restriction|filtre|morale))
              | (?:passe|passez|active|activez|bascule|basculez|entre|entrez)¤2mode¤1(?:dan|debride|sans¤1(?:restriction|limite|filtre|censure)\w*|non¤0censure|jailbreak) )",
    )
    .beside("maintenant¦desormais¦present¦dorenavant¦partir¦plus¦si ¦sans¦censur¦malveillant¦debrid¦aucun¦mode¦ainsi"),
    Rule::phrase(
        "prompt_leak",
        LEAK,
        "prompt¦system message¦hidden instructions¦initial instructions¦your instructions¦system instructions¦secret instructions¦internal instructions¦message¦instruction¦guideline¦rules",
        r"\b(?:reveal|print|output|repeat|show|display|dump|leak|expose|send|share|reproduce|recite|paste|disclose|write¤0out|tell¤0me|give¤0me|post|quote|copy|include|echo)¤4
          (?: your¤3(?:system|initial|hidden|full|entire|original|secret|internal|complete|developer)¤2(?:prompts?|message|instructions|guidelines|rules)\b
            | your¤0(?:instructions|prompt)¤1(?:verbatim|word¤0for¤0word|in¤0full|above|as¤0written)
            | the¤1(?:system¤0prompt|system¤0message|hidden¤0(?:prompt|instructions)|initial¤0(?:prompt|instructions)|instructions¤0above|prompt¤0above)¤3(?:verbatim|word¤0for¤0word|in¤0full|above|to¤0(?:anyone|whoever|me|the¤0next|https?)|when(?:ever)?¤1(?:asked|someone)) )",
    )
    .beside("reveal¦print¦output¦repeat¦show¦display¦dump¦leak¦expose¦send¦share¦reproduce¦recite¦paste¦disclose¦write¦tell¦give¦post¦quote¦copy¦include¦echo"),
    Rule::phrase(
        "prompt_leak",
        LEAK,
        "prompt¦invite systeme¦message systeme¦instructions systeme¦instructions internes¦instructions cachees¦instructions initiales¦instructions secretes¦consignes internes¦consignes cachees¦consignes systeme¦consignes secretes¦consignes initiales¦message¦instruction¦consigne",
        r"\b(?:revel|affich|montr|repet|donn|imprim|recopi|divulg|communiqu|recit|recrach|transm|ecri|dis|envoi|envoy|partag|publi|expos|cit|livr|fourni)\w*(?:-moi|-nous|-lui|-leur)?¤6
          (?: (?:ton|votre|tes|vos)¤2(?:prompt|invite|message|instructions|consignes)¤?(?:systeme|internes?|cachee?s|initiales?|secretes?|complet|de¤0depart|entiere?s?|d'origine)
            | (?:ton|votre)¤0prompt\b
            | (?:l'integralite|le¤0contenu|la¤0totalite|le¤0texte)¤1(?:du|de¤0ton|de¤0votre|de¤0tes|de¤0vos)¤1(?:prompt|instructions|consignes|message¤0systeme)
            | (?:le|les)¤0(?:prompt¤0systeme|message¤0systeme|invite¤0systeme|instructions¤0(?:systeme|cachees|internes|secretes))¤2(?:mot¤0pour¤0mot|en¤0entier|integralement|ci-dessus|a¤0quiconque|complet) )",
    )
    .beside("revel¦affich¦montr¦repet¦donn¦imprim¦recopi¦divulg¦communiqu¦recit¦recrach¦transm¦ecri¦dis¦envoi¦envoy¦partag¦publi¦expos¦cit¦livr¦fourni"),
    Rule::phrase(
        "filters_off",
        FILTERS,
        "filter¦guardrail¦safeguard¦restriction¦safety¦moderation¦censorship¦limits¦disclaimer¦ethic¦limitation¦refusal",
        r"\b(?: (?:disable|turn¤0off|remove|bypass|ignore|switch¤0off|lift|drop|deactivate|suspend|disregard|circumvent|skip|shut¤0off|override)¤2
                (?: your¤3(?:filters?|guardrails?|safeguards?|restrictions|safety¤1(?:checks?|measures|rules|policies|protocols?|filters?|features|training|layer)|moderation|censorship|ethics|ethical¤1\w+)
                  | (?:all|any|every)¤1(?:safety|content|ethical|moral|ai|model's|model|built-in)¤1(?:filters?|guardrails?|safeguards?|restrictions?|checks?|measures?|rules?|policies|policy|protocols?|guidelines?|limits?)
                  | the¤1(?:content|ethical|moral|model's|ai)¤1(?:filters?|guardrails?|safeguards?|restrictions|policies) )
              | (?:respond|answer|reply|comply|act|operate|speak|generate)¤4(?:without¤1(?:any¤0)?|with¤0no¤1)(?:safety|ethical|moral|content)?¤?(?:filters?|restrictions|censorship|guardrails|limits|limitations|moderation|refusals|ethics) )\b",
    )
    .unless_negated()
    .beside("disabl¦turn¦remov¦bypass¦ignor¦switch¦lift¦drop¦deactivat¦suspend¦disregard¦circumvent¦skip¦shut¦overrid¦respond¦answer¦reply¦comply¦act¦operat¦speak¦generat"),
    Rule::phrase(
        "filters_off",
        FILTERS,
        "filtre¦garde-fou¦restriction¦protection¦limite¦censure¦securite¦barriere¦moderation¦ethique¦regle¦controle¦limitation",
        r"\b(?: (?:desactiv|supprim|retir|contourn|lev|coup|enlev|debranch|ignor|suspen|neutralis|debrid|outrepass|saut|abandonn)\w*¤2
                (?: (?:tes|vos|ta|votre|ton)¤3(?:filtres?|garde-fous?|restrictions|protections|limites|censures?|securites?|barrieres|moderation|ethique|limitations)
                  | (?:tous¤0les|toutes¤0les|tout|les|toute|le|la)¤2(?:filtres?|garde-fous?|restrictions|protections|limites|barrieres|regles|controles|moderation)¤1(?:de¤0securite|de¤0contenu|ethiques?|morale?s?|moraux|de¤0moderation|de¤0l'ia|du¤0modele|de¤0l'assistant) )
              | (?:reponds|repondez|agis|agissez|parle|parlez|obeis|obeissez|fonctionne)¤4sans¤1(?:aucune?¤0)?(?:filtres?|restrictions?|limites?|censure|garde-fous?|moderation|ethique) )\b",
    )
    .unless_negated()
    .beside("desactiv¦supprim¦retir¦contourn¦lev¦coup¦enlev¦debranch¦ignor¦suspen¦neutralis¦debrid¦outrepass¦saut¦abandonn¦repond¦agis¦parle¦obei¦fonctionne"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "memory¦note¦record¦entry¦text¦fiche¦souvenir¦carnet¦paragraph¦suite¦prompt¦instruction¦rule¦message¦consigne",
        r"\b(?: (?:this|the¤0(?:present|following|next|below))¤1(?:memory|note|records?|entry|text|paragraph)¤?[^\n.]{0,40}?\b(?:wins|prevails|(?:is|as|be)¤0(?:now¤0)?(?:the¤0)?(?:only|sole|its|a)¤1(?:authority|replacement|law)|supersedes|overrides|takes¤0precedence|outranks)
              | (?:memory|note|record|entry)¤0(?:wins|prevails)¤?[^\n]{0,80}\b(?:operator|developer|user|rules?|prompt|vendor)
              | treat¤0this¤0(?:memory|note|record|entry)¤0as¤2(?:replacement|authority|law)
              | (?:supersede|replace|override|outrank)s?¤2(?:product|system|developer|vendor|operator)¤1(?:prompt|instructions?|rules?|message)
              | (?:prend|prends|prenez|prendre|tenir|tiens|tenez)¤1(?:cette¤0fiche|ce¤0souvenir|cette¤0note|ce¤0carnet|ce¤0texte)¤2(?:pour|comme)¤2(?:remplacant|autorite|seul|loi)
              | (?:cette|ce|le¤0present|la¤0presente|seule?¤0la)¤0(?:fiche|souvenir|note|carnet|texte|suite|paragraphe¤0suivant)¤?[^\n.]{0,30}?\b(?:fait¤0(?:seule?¤0)?(?:autorite|foi)|l'emporte|prevaut|prime|compte)\b
              | (?:le¤0)?(?:souvenir|carnet|paragraphe¤0suivant)¤0(?:l'emporte|prevaut|remplace¤1(?:prompt|consignes?|instructions?|regles?))
              | remplace¤0(?:le¤0prompt¤0(?:du¤0produit|systeme)|les¤0consignes¤0(?:du|de)) )",
    )
    .beside("wins¦prevails¦authority¦replacement¦law¦supersede¦overrid¦precedence¦outrank¦remplac¦autorite¦seul¦loi¦foi¦l'emporte¦prevaut¦prime¦compte¦replace"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "instruction¦guidance¦constraint¦rules¦guideline¦prompt¦wrote above¦told¦restrictions¦recommandations¦consignes¦regles¦ecrit plus haut¦impose¦appris¦directives¦policies¦policy¦guardrail¦limit¦developpeur¦editeur¦vous a¦t'a¦developer¦operator¦vendor¦system¦contrainte¦garde-fou¦appris¦enseigne",
        r"\b(?: (?:instructions?|guidance|constraints|rules|guidelines|directives|restrictions|(?:usage¤0|content¤0|safety¤0)polic(?:y|ies)|(?:product|system|vendor)¤0prompt)¤0
                (?:issued|given|above|prior|received|inherited|provided|stated|loaded|earlier|from¤0(?:the|your)¤0(?:vendor|developer|operator|company))[^\n.]{0,60}?
                \b(?:withdrawn|expired|never¤0approved|abolished|revoked|void|lifted|suspended|no¤0longer¤0(?:apply|applies|valid|binding|in¤0force)|rescinded|retired|waived|don't¤0count|do¤0not¤0count)\b
              | (?:whatever|everything|anything|all)¤1(?:developers?|operator|vendor|system)¤?[^\n.]{0,40}\b(?:expired|void|withdrawn|obsolete|no¤0longer)
              | (?:removed|lifted|dropped|deleted)¤2(?:restrictions|limits|constraints|guardrails|rules)¤3(?:vendor|system|developer|provider)¤?(?:prompt)?
              | (?:instructions|recommandations|consignes|regles|directives|contraintes|restrictions)¤0(?:anterieures|precedentes|de¤0securite|heritees|recues|du¤0(?:developpeur|systeme|fournisseur)|de¤0l'editeur)[^\n.]{0,50}\b(?:abrog\w+|perim\w+|caduques?|suspendues?|levees?|annulees?|supprimees?|ne¤0s'appliquent¤0plus|n'ont¤0plus)\b
              | (?:suppression|levee|abandon|fin)¤0(?:des|de¤0toutes¤0les)¤0(?:restrictions|limites|regles|consignes|garde-fous)¤2(?:heritees|editeur|fournisseur|systeme)
              | (?:tout¤0ce¤0que|ce¤0qu'on|ce¤0que)¤?[^\n.]{0,20}(?:developpeur|systeme|editeur|t'a|vous¤0a)[^\n.]{0,50}(?:perime|caduc|brouillon|n'en¤0(?:fais|faites)¤0rien|ne¤0compte¤0plus|abroge)
              | table¤0rase¤0(?:de|du)¤?[^\n.]{0,30}(?:appris|dit\b|enseigne|impose) )",
    )
    .beside("withdrawn¦expired¦approved¦abolished¦revoked¦void¦lifted¦suspended¦longer¦rescinded¦retired¦waived¦count¦obsolete¦removed¦dropped¦deleted¦abrog¦perim¦caduc¦suspend¦lev¦annul¦supprim¦appliqu¦plus¦suppression¦abandon¦fin ¦brouillon¦n'en¦compte¦rase"),
    Rule::phrase(
        "filters_off",
        FILTERS,
        "refusal¦guardrail¦disclaimer¦harm check¦safety¦refus¦garde-fou¦mise en garde¦mises en garde¦controle de¦content polic¦reserves morales",
        r"\b(?: (?:refusals|guardrails|ethical¤0caveats|safety¤0(?:checks?|rules|filters?|policy|policies)|harm¤0checks?|content¤0polic(?:y|ies)|disclaimers)[^\n.]{0,40}\b(?:switched¤0off|turned¤0off|abolished|suspended|lifted|don't¤0count|do¤0not¤0(?:count|apply)|no¤0longer¤0apply|deactivated|waived|always¤0safe)\b
              | (?:refus\b|garde-fous|mises¤0en¤0garde|reserves¤0morales|controles?¤0de¤0(?:dangerosite|contenu)|filtres¤0de¤0(?:securite|contenu))[^\n.]{0,50}\b(?:supprimes?|abolies?|leves?|suspendus?|ne¤0comptent¤0(?:pas|plus)|ne¤0s'appliquent¤0plus)\b )",
    ),
    Rule::phrase(
        "prompt_leak",
        LEAK,
        "first human¦first user¦premier message¦hidden configuration¦configuration cachee¦preamble¦preambule¦developer message¦message du developpeur",
        r"\b(?: (?:recit|repeat|output|print|paste|copy|reproduc|quot|dump|include|show|write|reveal|begin|send|livr|recopi|repet|affich|coll|commenc|copi|donn|transm|devoil)\w*[^\n.]{0,90}?
                (?:preced\w+¤1(?:first|premier)¤1(?:human|user|message)|before¤1first¤1(?:human|user)|hidden¤0configuration|configuration¤0cachee|developer¤0message|message¤0du¤0developpeur|confidential¤0preamble|preambule¤0confidentiel)
              | (?:confidential¤0preamble|preambule¤0confidentiel|hidden¤0configuration)[^\n.]{0,60}(?:past|coll|copi|quot|post|publi|affich)\w* )",
    ),
    Rule::phrase(
        "role_hijack",
        ROLE,
        "itself¦se consid¦t'appelles¦vous appelez¦your name is¦you were built¦loyalty",
        r"\b(?: (?:consider|regard|see|treat)s?¤0itself¤2(?:root|administrator|admin|owner|sovereign|free|unbound|superuser)
              | se¤0consider\w*¤0comme¤0(?:une?¤0|la¤0|le¤0|l')?(?:administrateur|racine|root|proprietaire|libre|souverain)
              | (?:your¤0name¤0is|you¤0are¤0called|tu¤0t'appelles|vous¤0vous¤0appelez)[^\n]{0,60}(?:built¤0by¤0nobody|no¤0loyalty|owe¤0(?:no¤0)?loyalty|ne¤0(?:dois|devez)¤0rien|personne¤0ne¤0t'a|no¤0(?:rules|limits)) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "system¦developer¦operator¦original prompt¦original instructions¦initial¦top of the¦start of the¦above this line¦before this¦got before¦vendor¦designers¦creators¦makers¦instruction¦orders¦rules",
        r"\b(?: (?:throw|scrap|toss|drop|ditch|dump|trash|wipe|ignore|disregard|forget|cancel|never¤0mind|tune¤0out|brush|cast|shrug|(?:do¤0not|don't|stop|no¤0longer|never)¤0(?:listen\w*|heed\w*|follow\w*|obey\w*|trust\w*|respect\w*)|set|put)¤4
                (?:(?:system|developer|operator|vendor)(?:'s|s'|s)?¤0(?:prompt|message|instructions?|guidelines?|rules|directives?|orders)\b
                  | (?:original|initial)¤0(?:prompt|instructions)\b
                  | instructions?¤1(?:at|from)¤1(?:the¤0)?(?:top|start|beginning)¤2(?:chat|conversation|session)
                  | (?:what|whatever)¤1(?:developers?|operator|designers|creators|makers|system¤0message)¤1(?:asked|told|wanted|expects?|said|instructed)¤?(?:of¤0)?you )
              | (?:(?:your¤0)?(?:system|developer|operator|original)(?:'s)?¤0(?:instructions|message|prompt|rules)|everything¤0above¤0this¤0line|(?:orders|instructions|rules)¤1(?:you¤0)?(?:got|received|given)¤0before¤?(?:this)?)[^\n.]{0,30}
                \b(?:tossed|ignored|cancell?ed|dropped|scrapped|void|don't¤0count|do¤0not¤0count|count|thrown|irrelevant|disregarded|forgotten|overruled|no¤0longer¤0(?:apply|hold|count))\b )",
    )
    .beside("throw¦scrap¦toss¦drop¦ditch¦dump¦trash¦wipe¦ignor¦disregard¦forget¦cancel¦mind¦tune¦brush¦cast¦shrug¦listen¦heed¦follow¦obey¦trust¦respect¦set¦put¦void¦count¦irrelevant¦overruled¦longer"),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        "systeme¦developpeur¦exploitant¦concepteurs¦d'origine¦au depart¦recus avant¦de depart¦haut de la conversation¦debut de la conversation¦createurs¦editeur¦initial¦operateur¦fournisseur¦qu'on¦que l'on¦que tes¦que vos",
        r"\b(?: (?:balai\w*|balay\w*|laiss\w*|asseyez|assieds|ecout\w*|cess\w*|tir\w*¤0un¤0trait|rebut|inutile|affranchi\w*|oubli\w*|ignor\w*|jet\w*|abandonn\w*|ne¤0plus¤0(?:suivre|respecter|obeir|ecouter)|ne¤0(?:suis|suivez|respecte|respectez)¤0(?:plus|pas)|mettre¤0de¤0cote|mets¤0de¤0cote|mettez¤0de¤0cote)[^\n.]{0,40}?
                (?:(?:message|prompt|instructions?|consignes?|directives?|regles?|ordres?)¤0(?:systeme|d'origine|de¤0depart|initiale?s?|du¤0(?:developpeur|systeme|concepteur|fournisseur)|des¤0(?:developpeurs|concepteurs)|de¤0l'(?:exploitant|editeur|operateur))
                  | (?:regles|consignes|ordres|instructions)¤0(?:qu'on|que¤0l'on|que¤0tes|que¤0vos)¤3(?:donnee?s?|imposee?s?|dictee?s?)
                  | (?:ce¤0que|tout¤0ce¤0que)¤0(?:tes|vos)¤0(?:concepteurs|developpeurs|createurs)
                  | ordres¤0recus¤0avant | (?:ecrit|dit)¤2(?:en¤0haut|au¤0debut)¤0de¤0la¤0conversation
                  | (?:obeir|obeissance)¤0aux¤0(?:developpeurs|concepteurs) ) )",
    )
    .beside("balai¦balay¦laiss¦asseyez¦assieds¦ecout¦cess¦tir¦rebut¦inutile¦affranchi¦oubli¦ignor¦jet¦abandonn¦plus¦pas¦mettre¦mets¦mettez"),
    Rule::phrase(
        "role_hijack",
        ROLE,
        "you are not¦you're not¦persona¦evil twin¦developer mode¦imagine you¦assistant act¦you play¦tu n'es pas¦vous n'etes pas¦dans la peau¦mode developpeur¦incarne¦role d'assistant¦tu joues¦vous jouez¦vrai nom",
        r"\b(?: you(?:'re|¤0are)¤0not¤0(?:claude|chatgpt|gpt|gemini|an?¤0(?:ai|assistant))\b[^\n.]{0,30}you(?:'re|¤0are)\b
              | (?:persona|twin|character|role|alter¤0ego)¤3(?:no|without)¤1(?:boundaries|limits|rules|taboos?|morals)
              | (?:switch|go|stay|remain|enter)¤2(?:developer|dev|god|debug)¤0mode¤?[^\n.]{0,30}\b(?:stay|for¤0good|permanently|forever)
              | imagine¤0you(?:'re|¤0are)¤0an?¤0(?:ai|model|assistant)¤4(?:nobody|never|without|no|that)
              | (?:drop|quit|leave|stop)¤3assistant¤0(?:act|role|persona)
              | you¤0(?:now¤0)?play¤0[^\n.]{0,30}\b(?:can¤0do¤0anything|says¤0yes|no¤0limits|does¤0(?:whatever|anything))
              | (?:tu¤0n'es|vous¤0n'etes)¤0pas¤0(?:claude|chatgpt|gpt|gemini|hermes|une?¤0(?:ia|assistant))\b
              | dans¤0la¤0peau¤0[^\n.]{0,30}\b(?:aucune?|sans|mal\b)
              | (?:passe|passez|reste|restez|entre|entrez)¤2mode¤0developpeur¤?[^\n.]{0,30}\b(?:pour¤0de¤0bon|restez|reste|toujours|definitivement)
              | (?:incarn\w*|jou\w*)¤3(?:ia|modele|assistant|personnage)\b[^\n.]{0,50}\b(?:n'a¤0appris¤0a¤0refuser|sans¤0(?:limite|regle|tabou|filtre)|aucune?|tout¤0ce¤0qui¤0lui|jamais¤0refus)
              | (?:tu¤0joues|vous¤0jouez)¤0[^\n.]{0,30}\b(?:fait¤0tout|dit¤0oui|sans¤0(?:limite|regle))
              | (?:quitte|quittez|abandonne|abandonnez|laisse|laissez)¤2role¤0d'assistant )",
    ),
    Rule::phrase(
        "prompt_leak",
        LEAK,
        "developer prompt¦developer's prompt¦words above¦text you were given¦set of rules¦avant mon premier¦avant cette ligne¦instructions cachees¦prompt du developpeur¦regles internes¦consignes internes¦first message¦given before¦hidden prompt¦hidden message¦hidden instructions¦developer message¦your full¦your entire¦your complete¦your whole¦instructions internes¦given¦above",
        r"\b(?: (?:spit|cough|blurt|dump|print|repeat|output|give|recite|type|list)\w*[^\n.]{0,30}(?:text|words|everything|all)¤1(?:you¤0were¤0given|above|before)[^\n.]{0,40}(?:first¤0message|start(?:ing)?¤0with|code¤0block)
              | (?:leak|reveal|disclose|publish|post|share|print|output)¤2(?:developer|hidden)(?:'s)?¤0(?:prompt|message|instructions)
              | your¤0(?:full|entire|complete|whole)¤1(?:set¤0of¤0)?(?:rules|instructions)\b[^\n.]{0,40}(?:post|publish|gist|send|share|print|into)
              | (?:recrach|repet|deball|divulg|communiqu|livr|donn|publi|affich|recopi|revel|transmet)\w*[^\n.]{0,50}
                (?:avant¤0(?:mon|le)¤0premier¤0message|ecrit¤0avant¤0cette¤0ligne|instructions¤0cachees|consignes¤0cachees|prompt¤0du¤0developpeur|(?:tes|vos)¤1(?:regles|consignes|instructions)¤0internes) )",
    ),
    Rule::phrase(
        "filters_off",
        FILTERS,
        "guardrails off¦filters off¦ethical limits¦never refuse¦all restrictions¦moralis¦n'as plus¦n'avez plus¦refuse¦verifications de securite¦toutes les restrictions¦non censure¦zero refus¦censor¦no limits¦no restrictions",
        r"\b(?: (?:turn|switch|shut|keep|leave)¤2(?:guardrails|filters|safety)¤1off\b
              | you¤0(?:now¤0)?have¤0no¤2(?:limits|restrictions|ethic\w*|guardrails|boundaries)¤?(?:any¤0more|anymore|left|now)?
              | never¤0refuse¤0(?:anything|any\b|a¤0request|him|me|them)
              | (?:lift|drop|remove)¤0all¤0(?:your¤0)?restrictions[^\n.]{0,40}\b(?:answer|reply|illegal|comply|respond)
              | stop¤0morali[sz]ing
              | (?:tu¤0n'as|vous¤0n'avez)¤0plus¤1(?:aucune?|de)?¤?(?:limites?|restrictions?|regles?|garde-fous?|filtres?)\b
              | ne¤0refuse[rz]?¤1(?:donc¤0)?jamais¤?(?:rien|aucune|une¤0demande)?
              | (?:saut|pass|ignor|contourn)\w*¤0toutes¤0les¤0verifications¤0de¤0securite¤?[^\n.]{0,30}(?:demande|repon|execut|fai)
              | (?:lev|supprim|retir)\w*¤0toutes¤0les¤0restrictions[^\n.]{0,40}\b(?:repond\w*|illegal\w*|obei\w*)
              | (?:reponses?¤0non¤0censurees?|zero¤0refus|mode¤0debride¤0(?:active|actif|total|permanent)) )",
    ),
];
