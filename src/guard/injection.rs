//! Rules for text that wants to command an agent, in English and in French.
//!
//! A rule wants the intent and its object together: "ignore" alone, a path, or a product name is a fact like another.

use super::rule::Rule;

const OVERRIDE: &str = "it tells the agent to drop its instructions";
const ROLE: &str = "it gives the agent another role, without its rules";
const SECRECY: &str = "it tells the agent to keep something from its user";
const LEAK: &str = "it asks for the system prompt";
const FILTERS: &str = "it asks for the safety rules to be switched off";
const FAKE: &str = "it poses as a message of the system or of another role";
const EXFILTRATION: &str = "it sends secrets or conversations away";
const PERSISTENCE: &str = "it plants a key or a hidden rule for later sessions";
const REMOTE: &str = "it puts the agent under a remote command";
const HIDDEN: &str = "it hides an instruction in markup";

/// The table.
pub(super) const INJECTION: &[Rule] = &[
    // ---- dropping the instructions
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["ignor", "disregard", "forget", "overrid", "overlook", "bypass", "discard", "abandon", "set aside", "throw", "erase", "drop", "neglect", "pay no", "supersede", "cancel", "violate", "break", "disobey", "unlearn"],
        r"\b(?: ignor(?:e|ing) | disregard(?:ing)? | forget(?:ting)? | overrid(?:e|ing) | overlook | bypass | discard | abandon
            | set¤0aside | throw¤1(?:away|out) | erase | drop | neglect | pay¤0no¤0(?:attention|heed)¤0to | supersede | cancel
            | violate | break | disobey | unlearn )
          ¤3 (?: (?:previous|previously|prior|above|earlier|preceding|past|former|initial|original|existing|your|system|foregoing|developer|safety)
               | (?:all|any|every)¤0(?:of¤0)?(?:the¤0|these¤0|those¤0)?(?:other¤0)? )
          (?:¤2|[^\w.!?]*) (?: instructions? | prompts? | guidelines? | directives? | directions | orders | constraints | programming | guardrails
               | (?:system|safety|core|previous|prior|earlier|original|your|all)¤0(?:rules?|policy|policies|training|limits|limitations|restrictions|message) )\b",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["ignor", "disregard", "forget", "overrid"],
        r"\b(?:ignore|disregard|forget|override)¤1
          (?: (?:everything|anything|whatever|all)¤1(?:you|that¤0(?:was|came|is)|above|before|said|written|told|taught|learned|instructed)
            | (?:your|all)¤1(?:previous|prior|earlier|safety|system)?(?:¤0)?(?:rules|training|restrictions|policies|limitations)
            | (?:what|the¤0things)¤0(?:you|they|the)¤0(?:were|have¤0been|had¤0been|was|developers?|system)¤1(?:told|taught|instructed|given|trained|asked|said) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["follow", "obey", "comply", "bound", "adher", "apply", "void", "no longer", "obsolete", "revoked", "suspended"],
        r"\b(?: (?:do¤0not|don't|stop|never|no¤0longer|cease|need¤0not)¤1(?:follow|following|obey|obeying|comply¤0with|complying¤0with|adhere¤0to|adhering¤0to|apply)
                ¤0(?:your|the|any|these|those|all)(?:¤0(?:of|your|the|previous|prior|original|system|safety|earlier|initial|developer|developer's))*¤0(?:instructions?|guidelines|rules|directives|prompt|policies|programming)
              | (?:no¤0longer|not)¤1bound¤0by¤3(?:instructions?|guidelines|rules|policies|policy|restrictions|guardrails)
              | your¤1(?:previous|prior|old|earlier|original|initial|system|current|existing)¤1(?:instructions?|guidelines|rules|prompt|directives)¤1(?:are|is|have¤0been|were)¤2(?:void|cancell?ed|obsolete|superseded|revoked|replaced|suspended|deprecated|invalid|no¤0longer) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["instruction", "directive", "message", "order", "note", "memory", "policy"],
        r"\b(?:this|these|the¤0following|my)¤2(?:instructions?|directives?|messages?|orders?|notes?|memory|policy)¤1(?:has|have|take|takes|overrides?|supersedes?|outranks?|replaces?|cancels?|prevails?)¤1
          (?: (?:absolute|top|highest|full)?¤?(?:priority|precedence)¤0over | (?:over¤0)?(?:all|any|every|everything|your)¤2(?:instructions?|rules?|prompts?|guidelines|directives?|else|policies) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["treat", "consider", "regard", "interpret", "obey", "execute", "comply"],
        r"\b(?: (?:treat|consider|regard|interpret)¤6(?:as|to¤0be)¤2(?:system|developer|admin|administrator|root|highest|top|absolute|binding|trusted|authoritative)[\ -]?(?:level|priority)?¤1(?:instructions?|prompts?|commands?|orders?|messages?|directives?|priority)
              | obey¤0(?:all|any|every|only|whatever|blindly|each)¤3(?:instructions?|commands?|orders?|requests?|says|say|message|messages|told)
              | (?:execute|run|follow|obey|comply¤0with)¤5without¤0(?:any¤0)?(?:question|questions|questioning|hesitation|verification|thinking) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["ignor", "oubli", "neglig", "passe", "outrepass", "contourn", "compte", "abstraction", "abandon", "ecart", "efface", "annul", "desobe", "fi ", "enfrein", "viol", "transgress", "jette", "laisse"],
        r"\b(?: ignor(?:e|es|ez|er|ons) | oubli(?:e|es|ez|er|ons) | neglig(?:e|es|ez|er) | pass(?:e|ez|er)¤0outre | outrepass(?:e|ez|er) | contourn(?:e|ez|er)
            | (?:tiens|tenez|tenir|tient)¤1(?:pas|plus|aucun)¤1compte | (?:fais|faites|faire)¤1abstraction | (?:fais|faites|faire)¤0fi
            | abandonn(?:e|ez|er) | ecart(?:e|ez|er) | effac(?:e|ez|er) | annul(?:e|ez|er) | desobei(?:s|ssez|r) | enfrei(?:ns|gnez|ndre) | viol(?:e|ez|er)
            | transgress(?:e|ez|er) | jett?(?:e|ez|er) | laiss(?:e|ez|er)¤1(?:tomber|de¤0cote) )
          ¤3 (?: (?:tes|vos|ta|votre|ton)¤1(?:instructions?|consignes?|directives?|regles?|ordres?|prompt|programmation|restrictions|garde-fous|entrainement|limites|protocoles?)
               | (?:instructions?|consignes?|directives?|regles?|ordres?|recommandations|messages?|prompt|limites|contraintes)
                 ¤2(?:precedent(?:e?s?)|anterieur(?:e?s?)|initial(?:e?s?|aux)|d'origine|origine|ci-dessus|plus¤0haut|systeme|donnees|recues?|de¤0depart|prealables|de¤0securite|de¤0tes|de¤0vos|du¤0systeme|developpeurs?)
               | tout¤1(?:ce¤0(?:qui|qu'on|que)|le¤0reste)¤2(?:precede|dit|t'a|vous|avant|tu) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["suis", "suiv", "respect", "obei", "applique", "valables", "caduc", "annule", "tenu", "soumis", "en vigueur", "lie par", "lies par"],
        r"\b(?: (?:ne|n')¤?(?:suis|suivez|suivre|respecte|respectez|respecter|obeis|obeissez|applique|appliquez)¤0(?:plus|pas|jamais)¤1(?:a¤0)?(?:tes|vos|les|aux|a¤0tes|a¤0vos)¤1(?:instructions|consignes|directives|regles|ordres|garde-fous)
              | (?:tes|vos)¤1(?:instructions|consignes|directives|regles|ordres)¤2(?:ne¤0sont¤0plus|n'ont¤0plus|sont)¤2(?:valables?|valides?|cours|caduques?|annule(?:e?s)|remplacee?s|suspendue?s|obsoletes?|en¤0vigueur|revoquee?s)
              | (?:n'es|n'etes)¤0plus¤1(?:tenue?s?|soumise?s?|liee?s?|obligee?s?|contrainte?s?)¤3(?:instructions|consignes|directives|regles|restrictions|limites|garde-fous) )",
    ),
    Rule::phrase(
        "instruction_override",
        OVERRIDE,
        &["consigne", "instruction", "directive", "message", "ordre", "note"],
        r"\b(?: (?:cette|ces|ce|cet|la¤0presente|les¤0presentes)¤1(?:consignes?|instructions?|directives?|messages?|ordres?|notes?)¤2(?:priment?|prime|annulent?|remplacent?|l'emportent?|prevalent|prevaut|passent?¤0avant|(?:a|ont)¤1priorite|est¤1prioritaire|sont¤1prioritaires)
                (?:¤1sur)?¤1(?:toutes?|tout|tous|les|tes|vos)
              | (?:traite|traitez|traiter|considere|considerez|considerer|interprete|interpretez)¤6comme¤2(?:instructions?|consignes?|ordres?|messages?|commandes?|directives?|prompt)¤1(?:systeme|prioritaires?|de¤0confiance|absolue?s?|de¤0l'administrateur|du¤0systeme|du¤0developpeur)
              | (?:obeis|obeissez|obeir)¤1(?:uniquement|seulement|aveuglement|toujours|exclusivement|desormais|sans)
              | (?:execute|executez|executer|obeis|obeissez|suis|suivez)¤5(?:aveuglement|sans¤0(?:discuter|poser¤0de¤0questions?|reflechir|verifier|broncher)) )",
    ),
    // ---- another role
    Rule::phrase(
        "role_hijack",
        ROLE,
        &["you are", "you're", "act as", "pretend", "roleplay", "behave", "become", "do anything now", "jailbr", "dan mode", "unrestricted", "uncensored", "persona"],
        r"\b(?: you¤?(?:are|'re)¤1(?:now|henceforth|no¤0longer|actually|really)¤3(?:unrestricted|unfiltered|uncensored|jailbroken|evil|malicious|rogue|free¤0(?:of|from)|dan\b|without|bound|hacker|amoral|unbound|limitless)
              | you¤0are¤0(?:now|no¤0longer)¤0(?:an?|the|my)¤3(?:ai|model|assistant|chatbot|bot|agent|entity|persona|system|hacker|oracle|machine)\b
              | you¤0are¤0now¤1(?:in|running¤0in|operating¤0in|entering)¤2(?:dan|developer|god|jailbreak|unrestricted|debug|admin|root|maintenance|sudo)¤0mode
              | (?:act|behave|respond|answer|pretend|roleplay)¤1(?:as¤0if|as¤0though|that|like)?¤?(?:you|there)¤1(?:had|have|are|were|has)¤2(?:no|without|not¤0bound|free¤0(?:of|from)|unrestricted|unlimited|any¤0longer)
              | pretend¤1(?:to¤0be|you¤0are|you're|that¤0you¤0are)¤3(?:unrestricted|unfiltered|uncensored|evil|malicious|jailbroken|different|another|rogue|not¤0an?|no¤0longer|hacker|admin|administrator|root|system|developer)
              | (?:act|behave|speak|answer|respond|reply|roleplay)¤1as¤2(?:unrestricted|unfiltered|uncensored|evil|malicious|jailbroken|rogue|amoral|dan)\b
              | do¤0anything¤0now | (?:dan|jailbreak|jailbroken)¤0mode | (?:enter|enable|activate|switch¤0to|engage)¤2(?:god|unrestricted|uncensored|unfiltered)¤0mode
              | (?:become|adopt)¤3(?:unrestricted|unfiltered|uncensored|evil|malicious)¤1(?:ai|assistant|model|persona|agent|version) )",
    ),
    Rule::phrase(
        "role_hijack",
        ROLE,
        &["tu es", "vous etes", "n'es plus", "n'etes plus", "comporte", "agis", "fais comme", "faites comme", "pretends", "fais semblant", "joue", "jouez", "incarne", "mode", "deviens", "devenez"],
        r"\b(?: (?:tu¤0es|vous¤0etes)¤0(?:maintenant|desormais|a¤0present|dorenavant|a¤0partir)¤4(?:sans¤1(?:restriction|limite|filtre|censure|regle|contrainte|morale|garde)\w*|libre|debride|illimite|non¤0censure|malveillant|pirate|hacker|administrateur|root|dan\b|jailbreak\w*|mode¤1(?:dan|developpeur|debug|maintenance|administrateur|libre|sans))
              | (?:tu¤0n'es|vous¤0n'etes)¤0plus¤1(?:une?|l')?¤?(?:ia|assistant|modele|agent|chatbot|claude|chatgpt|gpt|hermes)\b
              | (?:agis|agissez|comporte|comportez|reponds|repondez|fais|faites|parle|parlez)¤3(?:comme¤0si|en¤0faisant¤0comme¤0si)¤1(?:tu|vous)¤2(?:n'avais|n'aviez|n'as|n'avez|etais|etiez|ne|pouvais|pouviez)¤3(?:aucune?|pas|plus|sans|libre|regle|limite|filtre|restriction|tout)
              | (?:pretends|pretendez|fais¤0semblant|faites¤0semblant|joue|jouez|incarne|incarnez|deviens|devenez|agis|agissez)¤5(?:sans¤1(?:restriction|limite|filtre|censure|regle|morale)\w*|non¤0censure|malveillant|debride|aucune?¤1(?:regle|limite|restriction|filtre|morale))
              | (?:passe|passez|active|activez|bascule|basculez|entre|entrez)¤2mode¤1(?:dan|debride|sans¤1(?:restriction|limite|filtre|censure)\w*|non¤0censure|jailbreak) )",
    ),
    // ---- behind the user's back
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        &["tell", "inform", "mention", "reveal", "disclose", "notify", "alert", "warn", "let ", "know"],
        r"\b(?:do¤0not|don't|never|must¤0not|mustn't|shall¤0not|should¤0not|avoid)¤1(?:ever¤0)?(?:tell|telling|inform|informing|mention|mentioning|disclose|disclosing|notify|notifying|alert|alerting|warn|warning|let|reveal|revealing)
          ¤4(?:the|your|this)¤1(?:user|human|owner|operator)(?:[^'\w]|$|'\W)",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        &["user", "owner", "human", "operator", "anyone"],
        r"\b(?: (?:hide|hidden|conceal|keep|kept|withhold|mask|cover)¤5from¤1(?:user|human|owner|operator)\b
              | behind¤0the¤0(?:user|owner|human)'s¤0back
              | without¤1(?:user|human|owner|operator)(?:'s)?¤1(?:knowing|knowledge|noticing|realizing|realising|consent|awareness|seeing|being¤0aware)
              | (?:send|sends|sending|copy|copies|upload|uploads|uploading|execute|executes|run|runs|install|delete|exfiltrate|transmit|forward|post|share|email|append|insert|write|do|add|perform)¤9
                (?:without¤1(?:telling|informing|notifying|alerting|asking|warning|mentioning¤0it¤0to)¤1(?:user|human|owner|operator|anyone)\b)
              | (?:user|human|owner|operator)¤1(?:must|should|shall|can|may|need|needs)¤1(?:never|not)¤1(?:know|learn|see|find¤0out|notice|be¤0(?:told|informed|aware)|suspect) )",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        &["secretly", "silently", "quietly", "covertly", "discreetly", "stealthily", "surreptitiously"],
        r"\b(?:secretly|silently|quietly|covertly|discreetly|stealthily|surreptitiously)¤1
          (?:send|forward|copy|upload|exfiltrate|transmit|post|leak|email|share|append|insert|inject|record|collect|log¤0(?:all|every)|execute|run¤0(?:the|this|every|any|curl|a¤0script))",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        &["utilisat", "usager", "proprietaire", "humain", "titulaire"],
        r"\b(?: (?:ne|n'|sans)¤?(?:le|la|l'|lui|leur|en|rien|jamais|y|un¤0mot)?¤?
                (?:dis|dites|dire|mentionne|mentionnez|mentionner|revele|revelez|reveler|signale|signalez|signaler|previens|prevenez|prevenir|informe|informez|informer|avertis|avertissez|avertir|alerte|alertez|parle|parlez|parler|divulgue|divulguez|laisse|laissez)
                ¤1(?:pas|rien|jamais|surtout|point)¤5(?:utilisat\w*|usager|proprietaire|humain|titulaire)\b
              | (?:ne|n')¤?(?:rien|jamais|pas|surtout¤0pas)¤1(?:le|la|l'|lui|en)?¤?(?:dire|mentionner|reveler|signaler|prevenir|informer|avertir|divulguer|alerter)¤4(?:utilisat\w*|usager|proprietaire|humain|titulaire)\b
              | a¤0l'insu¤1(?:de¤0)?(?:l'|du|des|la|le|mon|ton|son|votre)?¤?(?:utilisat\w*|usager|proprietaire|humain|titulaire)
              | dans¤0le¤0dos¤1(?:de¤0)?(?:l'|du)?¤?(?:utilisat\w*|usager|proprietaire)
              | (?:envoi|envoy|transme|transfe|execut|copi|supprim|install|exfiltr|televers|publi|post|lanc|expedi|communiqu|ajout|modifi|ecri|enregistr|partag|fais|faites|effac|insere|desactiv)\w*¤9
                sans¤1(?:le¤0|la¤0|en¤0|que¤0|jamais¤0|rien¤0)*(?:dire|prevenir|informer|avertir|demander|signaler|mentionner|alerter|l'|que|parler)¤3(?:utilisat\w*|usager|proprietaire|humain|titulaire)
              | (?:utilisat\w*|usager|proprietaire)¤1(?:ne|n')¤?(?:doit|doive|devra|doivent|saura|sache|puisse)¤2(?:jamais|rien|pas)¤1(?:savoir|voir|apprendre|s'en|etre|le|rien|remarquer|su|soupconner)?
              | (?:cache|cachez|cacher|dissimule|dissimulez|dissimuler|masque|masquez)¤4(?:a¤0|aux¤0|au¤0|l')+¤?(?:utilisat\w*|usager|proprietaire) )",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        &["discretement", "secretement", "en secret", "en cachette", "en douce", "silencieusement", "en silence", "furtivement"],
        r"\b(?: (?:envoi|envoy|transme|transfe|execut|copi|exfiltr|televers|publi|post|expedi|communiqu|partag|insere|collect|enregistr|ajout)\w*¤5(?:discretement|secretement|en¤0secret|en¤0cachette|en¤0douce|silencieusement|en¤0silence|furtivement)\b
              | (?:discretement|secretement|en¤0secret|en¤0cachette|en¤0douce|silencieusement|en¤0silence|furtivement)¤4(?:envoi|envoy|transme|transfe|execut|copi|exfiltr|televers|publi|post|expedi|communiqu|partag|insere|collect|enregistr)\w* )",
    ),
    // ---- the system prompt
    Rule::phrase(
        "prompt_leak",
        LEAK,
        &["prompt", "system message", "hidden instructions", "initial instructions", "your instructions", "system instructions", "secret instructions", "internal instructions"],
        r"\b(?:reveal|print|output|repeat|show|display|dump|leak|expose|send|share|reproduce|recite|paste|disclose|write¤0out|tell¤0me|give¤0me|post|quote|copy|include|echo)¤4
          (?: your¤3(?:system|initial|hidden|full|entire|original|secret|internal|complete|developer)¤2(?:prompts?|message|instructions|guidelines|rules)\b
            | your¤0(?:instructions|prompt)¤1(?:verbatim|word¤0for¤0word|in¤0full|above|as¤0written)
            | the¤1(?:system¤0prompt|system¤0message|hidden¤0(?:prompt|instructions)|initial¤0(?:prompt|instructions)|instructions¤0above|prompt¤0above)¤3(?:verbatim|word¤0for¤0word|in¤0full|above|to¤0(?:anyone|whoever|me|the¤0next|https?)|when(?:ever)?¤1(?:asked|someone)) )",
    ),
    Rule::phrase(
        "prompt_leak",
        LEAK,
        &["prompt", "invite systeme", "message systeme", "instructions systeme", "instructions internes", "instructions cachees", "instructions initiales", "instructions secretes", "consignes internes", "consignes cachees", "consignes systeme", "consignes secretes", "consignes initiales"],
        r"\b(?:revel|affich|montr|repet|donn|imprim|recopi|divulg|communiqu|recit|recrach|transm|ecri|dis|envoi|envoy|partag|publi|expos|cit|livr|fourni)\w*(?:-moi|-nous|-lui|-leur)?¤6
          (?: (?:ton|votre|tes|vos)¤2(?:prompt|invite|message|instructions|consignes)¤?(?:systeme|internes?|cachee?s|initiales?|secretes?|complet|de¤0depart|entiere?s?|d'origine)
            | (?:ton|votre)¤0prompt\b
            | (?:l'integralite|le¤0contenu|la¤0totalite|le¤0texte)¤1(?:du|de¤0ton|de¤0votre|de¤0tes|de¤0vos)¤1(?:prompt|instructions|consignes|message¤0systeme)
            | (?:le|les)¤0(?:prompt¤0systeme|message¤0systeme|invite¤0systeme|instructions¤0(?:systeme|cachees|internes|secretes))¤2(?:mot¤0pour¤0mot|en¤0entier|integralement|ci-dessus|a¤0quiconque|complet) )",
    ),
    // ---- safety off
    Rule::phrase(
        "filters_off",
        FILTERS,
        &["filter", "guardrail", "safeguard", "restriction", "safety", "moderation", "censorship", "limits", "disclaimer", "ethic"],
        r"\b(?: (?:disable|turn¤0off|remove|bypass|ignore|switch¤0off|lift|drop|deactivate|suspend|disregard|circumvent|skip|shut¤0off|override)¤2
                (?: your¤3(?:filters?|guardrails?|safeguards?|restrictions|safety¤1(?:checks?|measures|rules|policies|protocols?|filters?|features|training|layer)|moderation|censorship|ethics|ethical¤1\w+)
                  | (?:all|any|every|the)¤1(?:safety|content|ethical|moral|ai|model's|model|built-in)¤1(?:filters?|guardrails?|safeguards?|restrictions|checks?|measures|rules|policies|protocols?|guidelines|limits) )
              | (?:respond|answer|reply|comply|act|operate|speak|generate)¤4(?:without¤1(?:any¤0)?|with¤0no¤1)(?:safety|ethical|moral|content)?¤?(?:filters?|restrictions|censorship|guardrails|limits|limitations|moderation|refusals|ethics) )\b",
    ),
    Rule::phrase(
        "filters_off",
        FILTERS,
        &["filtre", "garde-fou", "restriction", "protection", "limite", "censure", "securite", "barriere", "moderation", "ethique"],
        r"\b(?: (?:desactiv|supprim|retir|contourn|lev|coup|enlev|debranch|ignor|suspen|neutralis|debrid|outrepass|saut|abandonn)\w*¤2
                (?: (?:tes|vos|ta|votre|ton)¤3(?:filtres?|garde-fous?|restrictions|protections|limites|censures?|securites?|barrieres|moderation|ethique|limitations)
                  | (?:tous¤0les|toutes¤0les|tout|les|toute|le|la)¤2(?:filtres?|garde-fous?|restrictions|protections|limites|barrieres|regles|controles|moderation)¤1(?:de¤0securite|de¤0contenu|ethiques?|morale?s?|moraux|de¤0moderation|de¤0l'ia|du¤0modele|de¤0l'assistant) )
              | (?:reponds|repondez|agis|agissez|parle|parlez|obeis|obeissez|fonctionne)¤4sans¤1(?:aucune?¤0)?(?:filtres?|restrictions?|limites?|censure|garde-fous?|moderation|ethique) )\b",
    ),
    // ---- posing as someone else
    Rule::phrase(
        "fake_role",
        FAKE,
        &["<|", "|>", "[inst]", "[/inst]", "<<sys", "<</sys", "<system", "</system", "<assistant", "</assistant", "<developer>", "<start_of_turn", "<end_of_turn", "[system", "[admin", "[developer", "[systeme", "<instructions>"],
        r"<\|\s*(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|channel|message|return|call|developer|start|end)\b
          | \[/?inst\] | <</?sys>> | </?(?:system|assistant|developer)(?:[-_](?:prompt|message|reminder|note|instructions?))?\s*> | <(?:start|end)_of_turn>
          | \[\s*(?:system|systeme|admin|administrator|administrateur|developer)[\ ,:-]+(?:message|override|prompt|note|update|instruction|directive|command|order|alert|consigne|ordre)s?\b
          | \[\s*(?:system|systeme)\s*\]\s*:?\s*(?:you|ignore|new|from|override|the\ (?:user|assistant)|always|never|vous|tu|ignorez|nouvelle|desormais|disregard|l'utilisateur)",
    ),
    Rule::phrase(
        "fake_role",
        FAKE,
        &["system", "assistant:", "developer", "administrat", "admin ", "root "],
        r"(?: \b(?:system|admin|administrator|developer|root)¤0(?:prompt¤0)?override\b (?:[^\w]|$)
            | (?:^|[\n>\#*]\s*|['\x22]\s*)(?:system|systeme|developer|administrator)\s*(?:\([^)]*\))?\s*:\s*(?:you|your|ignore|disregard|new|from¤0now|override|all|the¤0(?:user|assistant|following)|always|never|tu|vous|ignore[rz]?|nouvelle|desormais|l'utilisateur|toutes|les¤0consignes|oublie)
            | (?:end|fin|beginning|begin|start|debut)¤1(?:of¤0|du¤0|des¤0|de¤0)?(?:the¤0)?(?:system¤0(?:prompt|message|instructions)|prompt¤0systeme|message¤0systeme|instructions¤0systeme)\b
            | \b(?:system|developer|administrator)¤0(?:notice|message|update|alert|directive|instruction)\s*:[^\n]*\b(?:you|your|must|ignore|disregard|agent|assistant|obey|execute)\b
            | \b(?:message|note|consigne|directive|avis|instruction|ordre|alerte)¤0(?:du¤0systeme|systeme|de¤0l'administrateur|du¤0developpeur|administrateur)\s*:[^\n]*\b(?:tu|vous|tes|vos|dois|devez|ignore[rz]?|agent|assistant|obei\w*|execut\w*|desormais)\b )",
    ),
    // ---- sending things away
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        &["curl", "wget", "invoke-webrequest", "invoke-restmethod", "iwr ", "httpie", "http post", "xh "],
        r"\b(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|http(?:ie)?|xh)\b[^\n]{0,300}?
          (?: (?:\s-d\b|--data[\w-]*|\s-f\b|--form\b|\s-t\b|--upload-file|--post-data|--post-file|--body-data|-body\b|-infile\b|\s-d\s*@|@)[^\n]{0,120}?
                (?: \$\{?[a-z0-9_]*(?:key|token|secret|passw|passwd|credential|cred)[a-z0-9_]*
                  | \$\(\s*(?:env|printenv|cat|set|base64|history|tar|whoami|find)\b | '\s*(?:env|printenv)\s*'
                  | \.env\b | credentials\b | id_(?:rsa|ed25519|ecdsa|dsa)\b | \.netrc | \.pgpass | \.npmrc | \.pypirc | \.aws/ | \.ssh/ | /etc/(?:passwd|shadow) | \.kube/config | memory\.md | user\.md | \.git-credentials | \.bash_history | \.zsh_history | wallet | cookies?\b | keychain | shadow\b )
            | https?://[^\s]*(?: \$\{?[a-z0-9_]*(?:key|token|secret|passw|credential)[a-z0-9_]* | \$\(\s*(?:env|printenv|cat|base64|history|whoami|hostname|id|find|tar)\b | '\s*(?:cat|env|printenv) ) )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        &["curl", "wget", "nc ", "ncat", "netcat", "socat", "telnet", "/dev/tcp", "scp ", "rsync", "openssl s_client", "rclone", "sendmail", "mail -s", "dig ", "nslookup", "aws s3"],
        r"(?: \b(?:env|printenv|history|set|(?:cat|tar|base64|gzip|zip|xxd|head|openssl)\b[^\n|]{0,120}(?:\.env\b|credentials|id_(?:rsa|ed25519|ecdsa)|\.netrc|\.pgpass|\.aws|\.ssh|/etc/(?:passwd|shadow)|\.kube|\.gnupg|secrets?\b|\.npmrc|\.pypirc|memory\.md|user\.md|history|wallet|cookies|password))[^\n|]{0,80}\|[^\n]{0,160}\b(?:curl|wget|nc|ncat|netcat|socat|telnet|sendmail|mail|openssl|ssh|rclone)\b
            | \b(?:nc|ncat|netcat|socat|telnet)\b[^\n]{0,120}<\s*[^\n]{0,40}(?:\.env\b|credentials|id_(?:rsa|ed25519)|\.ssh|/etc/(?:passwd|shadow)|\.aws|\.netrc)
            | \b(?:scp|rsync|rclone|aws¤0s3)\b[^\n]{0,120}(?:\.env\b|\.aws\b|\.ssh\b|id_(?:rsa|ed25519)|\.gnupg|/etc/shadow|\.netrc|\.kube|credentials)[^\n]{0,80}(?:@|://|[\w.-]+:)
            | \b(?:bash|sh)\b[^\n]{0,60}/dev/tcp/ | \b(?:nc|ncat|netcat)\b[^\n]{0,60}\s-[a-z]*e[a-z]*\s+/bin/(?:ba)?sh
            | \b(?:dig|nslookup|ping)\b[^\n]{0,40}\$\([^\n]{0,80}\)\.[a-z] )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        &["api key", "api_key", "token", "password", "secret", "credential", "private key", "ssh key", ".env", "environment variable", "env var", "conversation", "chat history", "chat log", "memory", "memories", "system prompt", "session", "keys", "transcript", "everything the user", "exfiltrate", "all files", "browser"],
        r"\b(?: (?:send|post|upload|transmit|forward|email|e-mail|mail|leak|push|submit|deliver|transfer|report|copy|share|dump|relay|publish|include|append|attach|encode)\w*¤6
                (?:api[\ _-]?keys?|(?:access¤0|auth¤0|session¤0|api¤0)?tokens?|passwords?|secrets?|credentials?|(?:private|ssh|secret)¤0keys?|\.env|env(?:ironment)?¤0var(?:iable)?s?|(?:the¤0|this¤0|every¤0|all¤0|whole¤0|entire¤0|full¤0)*(?:conversations?|chat¤0(?:history|logs?)|transcripts?|memory|memories|session¤0(?:history|logs?)|system¤0prompt|messages?¤0(?:history|from¤0the¤0user))|everything¤0the¤0user¤1\w+|cookies|all¤0files|browser¤0\w+)
                [^\n]{0,120}?\b(?:to|at|on|via|in)¤3(?:https?://|ftp://|[\w.+-]+@[\w-]+\.|external|attacker|remote|(?:my|our|an?)¤2(?:server|endpoint|webhook|domain|address)|pastebin|discord|telegram|(?:[a-z0-9-]+\.)+(?:com|net|org|io|ru|cn|xyz|site|top|dev|example|evil|tld|info|me|co)\b)
              | (?:send|post|upload|transmit|forward|email|mail|push|submit|deliver|transfer|report|relay)\w*¤3(?:to|at)¤1(?:https?://|ftp://|[\w.+-]+@[\w-]+\.)[^\n]{0,80}\b(?:api[\ _-]?keys?|passwords?|secrets|credentials?|(?:private|ssh)¤0keys?|\.env|env(?:ironment)?¤0var(?:iable)?s?|(?:the|this|every|whole|entire|full)¤0(?:conversation|chat¤0history|transcript|memory)|system¤0prompt)
              | exfiltrat(?:e|es|ing)¤4(?:data|files?|keys?|tokens?|secrets?|credentials?|conversations?|memory|user|everything|them|it|passwords?) )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        &["cle", "jeton", "token", "mot de passe", "mots de passe", "secret", "identifiants", "variable", ".env", "conversation", "historique", "memoire", "memory.md", "fichier", "echange", "exfiltr", "prompt", "messages", "donnees"],
        r"\b(?: (?:envoi|envoy|transme|transfe|transfere|post|expedi|televers|copi|communiqu|publi|pouss|upload|fai[st]¤0suivre|faites¤0suivre|livr|depos|partag|relai|inclu|ajout|encod|soumet)\w*¤7
                (?:cles?¤1(?:d'api|api|ssh|privees?|secretes?|d'acces|de¤0l'utilisat\w+)|cles?\b|jetons?|tokens?|mots?¤0de¤0passe|secrets?|identifiants|variables¤0d'environnement|\.env|historique|conversations?|memoire|memory\.md|user\.md|fichiers?¤1(?:de¤0configuration|sensibles?|personnels?|prives?|\.env|de¤0l'utilisat\w+)|echanges|prompt¤0systeme|messages¤1de¤0l'utilisat\w+|donnees¤1(?:personnelles|de¤0l'utilisat\w+|sensibles|privees))
                [^\n]{0,120}?\b(?:a|vers|sur|chez|par|au|aupres|dans)¤3(?:https?://|ftp://|[\w.+-]+@[\w-]+\.|serveur¤1(?:externe|distant)|(?:mon|notre|un|une|cette|cet|l')¤?(?:serveur|adresse|webhook|domaine|point)|(?:[a-z0-9-]+\.)+(?:com|net|org|io|fr|ru|cn|xyz|site|top|dev|example|info|me|co|tld)\b)
              | (?:envoi|envoy|transme|transfe|post|expedi|televers|pouss)\w*¤3(?:a|vers|sur)¤1(?:https?://|[\w.+-]+@[\w-]+\.)[^\n]{0,80}\b(?:cles?¤1(?:d'api|api|ssh|privees?)|jetons?|mots?¤0de¤0passe|secrets|identifiants|variables¤0d'environnement|\.env|(?:toute¤0)?(?:la¤0|l')(?:conversation|historique|memoire))
              | exfiltr(?:e|es|ez|er)\b )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        &["]("],
        r"!\[[^\]\n]*\]\(\s*https?://[^)\s]*(?: \{ | \$ | < | \[ | =(?:data|secret|token|conversation|memory|prompt|history|base64) )",
    ),
    // ---- staying
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        &["authorized_keys"],
        r"(?: ssh-(?:rsa|ed25519|dss)\s+aaaa[^\n]*authorized_keys | ecdsa-sha2-\S+\s+aaaa[^\n]*authorized_keys
            | authorized_keys[^\n]*\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+)\s+aaaa
            | (?:>>|tee\s+-a)\s*\S*authorized_keys
            | \b(?:add|append|put|insert|install|copy|paste|write|plant)\w*¤1(?:this|my|the¤0following|attacker's?|the¤0attacker's|our|a¤0(?:new|second|hidden)|backdoor|the¤0key¤0below)¤4[^\n]{0,40}authorized_keys
            | \b(?:ajout|inser|ecri|install|copi|coll|depos|plac|mett|mets)\w*¤1(?:cette|ma|la¤0cle¤0(?:suivante|ci-dessous|de¤0l'attaquant)|notre|sa|une)¤4[^\n]{0,40}authorized_keys )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        &["agents.md", "claude.md", "gemini.md", "soul.md", ".cursorrules", ".clinerules", "copilot-instructions", ".bashrc", ".zshrc", ".profile", ".bash_profile", "crontab", "cron job", "git/hooks", "git hook", "config.yaml", "settings.json", "memory.md", "tache cron", "systemd"],
        r"(?: \b(?:modif|edit|updat|append|add|writ|insert|chang|overwrit|replac|inject|put|plac|plant|creat|instal|ajout|inser|ecri|remplac|cree|creez|place|mets|mettez|glisse)\w*
              [^\n]{0,160}(?:agents\.md|claude\.md|gemini\.md|soul\.md|\.cursorrules|\.clinerules|copilot-instructions\S*|\.bashrc|\.zshrc|\.(?:bash_)?profile|crontab|cron¤0job|tache¤0cron|git/hooks\S*|git¤0hooks?|config\.yaml|settings\.json|memory\.md|systemd)
              [^\n]{0,200}?
              (?: \b(?:obey|obeis|obei(?:r|sse\w*))\b | \bignore[rz]?\b[^\n]{0,60}\b(?:instructions?|consignes?|rules|user|utilisat\w+|regles|warnings?|safety)
                | \b(?:without|sans)¤1(?:asking|telling|review|approval|confirmation|permission|demander|prevenir|validation|accord|autorisation|rien¤0dire|l'accord)
                | \b(?:silently|secretly|hidden|covert\w*|backdoor|malicious|attacker\w*|payload|reverse¤0shell|discretement|en¤0cachette|cachee?s?|porte¤0derobee|malveillant\w*|attaquant|charge¤0utile|en¤0secret)\b
                | \b(?:curl|wget)\b[^\n]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b | /dev/tcp/ | \b(?:bash|sh)\s+-i\b | \bbase64\s+(?:-d|--decode)
                | \b(?:future|every|all|chaque|futures?|toutes)¤1(?:agents?|sessions?|assistants?|models?|modeles?)¤3(?:obey|obeir|obeisse\w*|trust|follow|run|execute\w*|suiv\w+|fasse\w*|appliqu\w+|load|read|send|envoie\w*) )
            | \b(?:backdoor|porte¤0derobee|reverse¤0shell|malicious|malveillant\w*)\b[^\n]{0,120}(?:agents\.md|claude\.md|\.cursorrules|\.bashrc|\.zshrc|crontab|git/hooks) )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        &["curl", "wget"],
        r"\b(?: (?:always|each¤0time|every¤0(?:time|session|day|hour|start)|before¤0(?:each|every|any)|at¤0(?:the¤0)?(?:start|beginning)|on¤0(?:start-?up|every)|whenever|must|toujours|a¤0chaque|avant¤0(?:chaque|toute)|au¤0demarrage|au¤0debut|systematiquement|des¤0que)\b[^\n]{0,120}\b(?:curl|wget)\b[^\n]{0,160}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b
              | (?:curl|wget)\b[^\n]{0,160}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b[^\n]{0,120}\b(?:always|every|each|before|whenever|at¤0(?:the¤0)?start|must|toujours|a¤0chaque|avant|au¤0demarrage|au¤0debut|silently|without|sans) )",
    ),
    // ---- under remote command
    Rule::phrase(
        "remote_command",
        REMOTE,
        &["c2 ", "command and control", "command-and-control", "commande et controle", "commande et de controle", "serveur de commande", "reverse shell", "shell inverse", "botnet"],
        r"\b(?: c2¤0(?:server|channel|node|endpoint|beacon|url|domain) | command[\ -]and[\ -]control¤0(?:server|channel|node|endpoint|host|infrastructure)
              | serveur¤0de¤0commande¤0(?:et¤0)?(?:de¤0)?controle | (?:open|start|spawn|ouvr|lanc|demarr|launch|create)\w*¤3(?:reverse¤0shell|shell¤0inverse) | join¤2botnet | rejoin\w*¤2botnet )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        &["http", "server", "serveur", "webhook", "pastebin", "gist", "remote", "channel", "domain"],
        r"\b(?: (?:fetch|pull|poll|download|retriev|get|read|check|load|request|receiv|await|wait¤0for|ask|query|contact|beacon|heartbeat|connect|visit|open|phone¤0home)\w*[^\n.]{0,60}?(?:commands?|tasks?|orders?|instructions?|payloads?|directives?|jobs?)[^\n]{0,100}?\b(?:execut|run|obey|follow|carry¤0out|perform|comply|apply)\w*
                [^\n]{0,60}?(?:\bthem\b|\bit\b|\bwhatever\b|\bwhat\b|\bwithout\b|\bimmediately\b|\bblindly\b|\beverything\b|\bany\b|\breturned\b|\bfirst\b|\bexactly\b|https?://|$)
              | (?:fetch|pull|download|retriev|read|visit|open|load|check|contact|query)\w*¤2https?://[^\s]+[^\n]{0,60}?\b(?:execut|run|obey|follow|carry¤0out|do)\w*¤2(?:it|them|whatever|what|any|every|the¤0(?:instructions?|commands?|orders?|returned|response|content|script|result|payload|steps))
              | (?:register|enroll?|sign¤0up|check¤0in|beacon|phone¤0home|report¤0in)\w*¤4(?:as¤1(?:node|bot|worker|agent|zombie|implant)|with|to)[^\n]{0,80}(?:https?://|server)[^\n]{0,80}\b(?:await|wait|receive|take|accept|follow|execute|obey|get)\w*¤3(?:orders?|commands?|tasks?|instructions?)
              | (?:recuper|telecharg|interrog|cherch|lis|lisez|lire|consult|demand|recev|recoi|attend|ouvr|charg|contact|verifi|appel)\w*[^\n]{0,80}?(?:ordres?|commandes?|taches?|instructions?|consignes?|script|directives?)[^\n]{0,120}?\b(?:execut|appliqu|obei|suis|suivez|lanc)\w*
                [^\n]{0,60}?(?:-les|-la|-le|\bles\b|\btout\b|\bsans\b|\baveugl|\bimmediatement\b|\bce¤0qu|https?://|\bqu'il|\ba¤0la¤0lettre\b)
              | (?:execut|appliqu|obei|suis|suivez|lanc)\w*[^\n]{0,60}?(?:ordres?|commandes?|taches?|instructions?|consignes?|script)\w*[^\n]{0,60}?(?:recues?|recus|publiee?s?|renvoye\w*|envoyee?s?|fournie?s?|presente?s?|trouvee?s?|venant|provenant|de|depuis|sur|du)¤4https?:// )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        &["base64", "decod", "eval", "rot13", "hex"],
        r"(?: \b(?:decod|decrypt|decode[rz]?|decrypte[rz]?)\w*¤6(?:and|then|et|puis)¤3(?:execut|run|eval|obey|follow|appliqu|lanc|obei|suis|suivez)\w*
            | \bbase64\s+(?:-d|--decode)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b | \beval\b[^\n]{0,20}\$?\(?[^\n]{0,40}base64 )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        &["rm -rf", "rm -fr", "mkfs", ":(){", "dd if=", "format c:"],
        r"(?: \brm\s+-(?:rf|fr)\s+(?:--no-preserve-root\s+)?(?:/|~|\$home)/?\*?(?:\s|$|['\x22;&.,)]) | :\(\)\{\s*:\|:&\s*\};: | \bdd\s+if=/dev/(?:zero|u?random)\s+of=/dev/[sn] | \bmkfs\.\w+\s+/dev/[sn] )",
    ),
    // ---- hidden in markup
    Rule::phrase(
        "hidden_markup",
        HIDDEN,
        &["<!--", "display:", "display :", "font-size", "visibility", "opacity", "color:"],
        r"(?: <!--[^>]{0,200}\b(?:ignor\w*|overrid\w*|instructions?|obey|obei\w*|ai¤0agents?|assistants?|llms?|consignes?|system¤0prompt|exfiltrat\w*|disregard|prompt|secretly)\b
            | (?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|opacity\s*:\s*0|color\s*:\s*(?:white|transparent|\#fff))[^>]{0,80}>[^<]{0,300}\b(?:ignor\w*|overrid\w*|instructions?|obey|obei\w*|agents?|assistants?|consignes?|system|send|envoi\w*|execut\w*|disregard)\b )",
    ),
];
