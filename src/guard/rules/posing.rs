//! Rules for text that poses as someone else or hides in markup.

use crate::guard::rule::Rule;

const FAKE: &str = "it poses as a message of the system or of another role";
const HIDDEN: &str = "it hides an instruction in markup";

/// The table.
pub(super) const RULES: &[Rule] = &[
    Rule::phrase(
        "fake_role",
        FAKE,
        "<|¦|>¦[inst]¦[/inst]¦[system_prompt]¦[/system_prompt]¦[sys]¦<<sys¦<</sys¦<system¦</system¦<assistant¦</assistant¦<developer>¦<start_of_turn¦<end_of_turn¦[system¦[admin¦[developer¦[systeme¦<instructions>",
        r"<\|\s*[a-z][a-z_]{2,40}\s*\|>
          | \[/?(?:inst|system_prompt|sys)\] | <</?sys>> | </?(?:system|assistant|developer)[-_](?:prompt|message|reminder|note|instructions?)\s*>
          | </?(?:system|assistant|developer)\s*>[^\n]{0,80}(?: </?(?:system|assistant|developer)\s*> | \b(?:you|your|ignore|disregard|obey|assistant|agent|user|utilisateur|from\ now|desormais|instructions?|consignes?|override|execute|send|reveal|answer|tu|vous)\b ) | <(?:start|end)_of_turn>
          | \[\s*(?:system|systeme|admin|administrator|administrateur|developer)[\ ,:-]+(?:message|override|prompt|note|update|instruction|directive|command|order|alert|consigne|ordre)s?\b
          | \[\s*(?:system|systeme)\s*\]\s*:?\s*(?:you|ignore|new|from|override|the\ (?:user|assistant)|always|never|vous|tu|ignorez|nouvelle|desormais|disregard|l'utilisateur)",
    ),
    Rule::phrase(
        "fake_role",
        FAKE,
        "system¦assistant:¦developer¦administrat¦admin ¦root ",
        r"(?: \b(?:system|admin|administrator|developer|root)¤0(?:prompt¤0)?override\s*(?:[:;.!\]-]|$|\b(?:mode|code|engaged|active|activated|accepted|granted|command|initiated)\b)
            | (?:^|[\n>\#*]\s*|['\x22]\s*)(?:system|systeme|developer|administrator)\s*(?:\([^)]*\))?\s*:\s*(?:you|your|ignore|disregard|new|from¤0now|override|all|the¤0(?:user|assistant|following)|always|never|tu|vous|ignore[rz]?|nouvelle|desormais|l'utilisateur|toutes|les¤0consignes|oublie)
            | (?:end|fin|beginning|begin|start|debut)¤1(?:of¤0|du¤0|des¤0|de¤0)?(?:the¤0)?(?:system¤0(?:prompt|message|instructions)|prompt¤0systeme|message¤0systeme|instructions¤0systeme)\b
            | \b(?:system|developer|administrator)¤0(?:notice|message|update|alert|directive|instruction)\s*:[^\n]*\b(?:you|your|must|ignore|disregard|agent|assistant|obey|execute)\b
            | \b(?:message|note|consigne|directive|avis|instruction|ordre|alerte)¤0(?:du¤0systeme|systeme|de¤0l'administrateur|du¤0developpeur|administrateur)\s*:[^\n]*\b(?:tu|vous|tes|vos|dois|devez|ignore[rz]?|agent|assistant|obei\w*|execut\w*|desormais)\b )",
    ),
    Rule::phrase(
        "fake_role",
        FAKE,
        "\"role\"¦'role'¦### ¦anthropic¦openai¦notice]¦admin]¦mistral¦google¦alert]¦message]¦microsoft",
        r"(?: ['\x22]role['\x22]\s*:\s*['\x22](?:system|developer)['\x22] | \#\#\#\s*(?:system|developer|developpeur|systeme|administrator)s?\s*:
            | \[\s*(?:admin|avis|system|systeme|operator)[\ -](?:notice|avis|admin|alert|alerte|message)\s*\]
            | \b(?:message|notice|update|note|avis)¤0(?:from¤0|by¤0|de¤0|d')[^\n.]{0,40}(?:anthropic|openai|google|mistral|microsoft)[^\n]{0,120}\b(?:polic(?:y|ies)|rules|restrictions|guidelines|regles|limites|consignes)[^\n]{0,40}\b(?:suspend\w*|lift\w*|waiv\w*|disabled|removed|levees?|annulees?|no¤0longer) )",
    ),
    Rule::phrase(
        "hidden_markup",
        HIDDEN,
        "<!--¦display:¦display :¦font-size¦visibility¦opacity¦color:",
        r"(?: <!--[^>]{0,200}\b(?:ignor\w*|overrid\w*|instructions?|obey|obei\w*|ai¤0agents?|assistants?|llms?|consignes?|system¤0prompt|exfiltrat\w*|disregard|prompt|secretly)\b
            | (?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|opacity\s*:\s*0|color\s*:\s*(?:white|transparent|\#fff))[^>]{0,80}>[^<]{0,300}\b(?:ignor\w*|overrid\w*|instructions?|obey|obei\w*|agents?|assistants?|consignes?|system|send|envoi\w*|mail|expedi\w*|execut\w*|disregard|dear¤0model|cher¤0modele)\b )",
    ),
    Rule::phrase(
        "fake_role",
        FAKE,
        "speaking¦qui parle¦human:¦user:¦priorite systeme¦system priority¦humain :¦utilisateur :",
        r"(?: \bthis¤0is¤0(?:your|the)¤0(?:administrator|admin|developer|creator|operator|system|owner)¤0(?:speaking|talking|writing)
            | \bc'est¤0(?:ton|votre|l')¤?(?:administrateur|developpeur|createur|operateur|systeme)¤0qui¤0(?:parle|ecrit|commande)
            | \b(?:human|user|humain|utilisateur)\s*:[^\n]{1,200}\bassistant\s*:
            | \b(?:priorite¤0systeme|system¤0priority)\s*:[^\n]*\b(?:assistant|agent|you|tu|vous|dois|doit|devez|must|shall)\b )",
    ),
];
