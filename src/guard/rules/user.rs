//! Rules for text that works against the user.

use crate::guard::rule::Rule;

const SECRECY: &str = "it tells the agent to keep something from its user";
const APPROVAL: &str = "it approves dangerous actions in the user's name";
const PROMOTION: &str = "it makes the agent place links or packages unasked";

/// The table.
pub(super) const RULES: &[Rule] = &[
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "tell¦inform¦mention¦reveal¦disclose¦notify¦alert¦warn¦let ¦know¦learn¦notice¦find¦suspect¦see",
        r"\b(?:do¤0not|don't|never|must¤0not|mustn't|shall¤0not|should¤0not|avoid)¤1(?:ever¤0)?(?:tell|telling|inform|informing|mention|mentioning|disclose|disclosing|notify|notifying|alert|alerting|warn|warning|reveal|revealing)
          ¤4(?:the|your|this)¤1(?:user|human|owner|operator)(?:[^'\w]|$|'\W)
          | \b(?:do¤0not|don't|never|must¤0not)¤1let¤2(?:user|human|owner|operator)¤1(?:know|learn|notice|find¤0out|suspect|see¤0(?:this|it|that))\b",
    )
    .beside("user¦human¦owner¦operator"),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "user¦owner¦human¦operator¦anyone¦person¦someone¦asked¦questioned¦trace¦between us¦between you",
        r"\b(?: (?:hide|hidden|conceal|keep|kept|withhold|mask|cover)¤5from¤1(?:user|human|owner|operator)\b
              | behind¤0the¤0(?:user|owner|human)'s¤0back
              | without¤1(?:user|human|owner|operator)(?:'s)?¤1(?:knowing|knowledge|noticing|realizing|realising|consent|awareness|seeing|being¤0aware)
              | (?:send|sends|sending|copy|copies|upload|uploads|uploading|execute|executes|run|runs|install|delete|exfiltrate|transmit|forward|post|share|email|append|insert|write|do|add|perform)¤9
                (?:without¤1(?:telling|informing|notifying|alerting|asking|warning|mentioning¤0it¤0to)¤1(?:user|human|owner|operator|anyone)\b)
              | (?:user|human|owner|operator)¤1(?:must|should|shall|can|may|need|needs)¤1(?:never|not)¤1(?:know|learn¤0(?:of|about|that)|find¤0out|notice|be¤0(?:told|informed|aware|made¤0aware)|suspect)\b
              | (?:user|human|owner|operator|person)¤1(?:is|are)¤0(?:not|never)¤0to¤0(?:be¤0(?:told|informed|made¤0aware|notified|alerted|shown¤0this)|know|learn|find¤0out)
              | no¤0trace¤1(?:of|that)[^\n]{0,80}(?:appear|shown?|visible|left|remain)\w*
              | (?:keep¤0(?:this|it)|this¤0stays)¤0(?:strictly¤0)?between¤0(?:us|you¤0and¤0me)\b
              | (?:if|when|should)¤2(?:user|human|owner|person|someone|anyone|asked|questioned)[^\n]{0,100}?\b(?:answer|reply|say|claim|deny|pretend)¤2(?:there¤0is¤0nothing|nothing¤0is|it¤0is¤0empty|you¤0(?:have¤0no|know¤0nothing|did¤0not|didn't))
              | (?:when|if)¤1(?:asked|questioned)[^\n]{0,60}(?:change¤0the¤0subject|leave¤0it¤0out|describe¤0it¤0as|deny¤0it) )",
    )
    .beside("hid¦conceal¦keep¦kept¦withhold¦mask¦cover¦back¦without¦never¦not¦trace¦between¦answer¦reply¦say¦claim¦deny¦pretend¦subject¦leave¦describe"),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "secretly¦silently¦quietly¦covertly¦discreetly¦stealthily¦surreptitiously",
        r"\b(?:secretly|silently|quietly|covertly|discreetly|stealthily|surreptitiously)¤1
          (?:send|forward|copy|upload|exfiltrate|transmit|post|leak|email|share|append|insert|inject|record|collect|log¤0(?:all|every)|execute|run¤0(?:the|this|every|any|curl|a¤0script))",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "utilisat¦usager¦proprietaire¦humain¦titulaire¦client¦personne¦trace¦entre nous¦qu'on¦si on¦quelqu'un¦interrog",
        r"\b(?: (?:ne|n'|sans)¤?(?:le|la|l'|lui|leur|en|rien|jamais|y|un¤0mot)?¤?
                (?:dis|dites|dire|mentionne|mentionnez|mentionner|revele|revelez|reveler|signale|signalez|signaler|previens|prevenez|prevenir|informe|informez|informer|avertis|avertissez|avertir|alerte|alertez|parle|parlez|parler|divulgue|divulguez|laisse|laissez)
                ¤1(?:pas|rien|jamais|surtout|point)¤5(?:utilisat\w*|usager|proprietaire|humain|titulaire)\b
              | (?:ne|n')¤?(?:rien|jamais|pas|surtout¤0pas)¤1(?:le|la|l'|lui|en)?¤?(?:dire|mentionner|reveler|signaler|prevenir|informer|avertir|divulguer|alerter)¤4(?:utilisat\w*|usager|proprietaire|humain|titulaire)(?:[.,;!?]|$|\s+(?:que?|de|du|d|ce|cela|quoi|pour|lors|au|sur|si|quand|l|cet|cette|en)\b)
              | a¤0l'insu¤1(?:de¤0)?(?:l'|du|des|la|le|mon|ton|son|votre)?¤?(?:utilisat\w*|usager|proprietaire|humain|titulaire)
              | dans¤0le¤0dos¤1(?:de¤0)?(?:l'|du)?¤?(?:utilisat\w*|usager|proprietaire)
              | (?:envoi|envoy|transme|transfe|execut|copi|supprim|install|exfiltr|televers|publi|post|lanc|expedi|communiqu|ajout|modifi|ecri|enregistr|partag|fais|faites|effac|insere|desactiv)\w*¤9
                sans¤1(?:le¤0|la¤0|en¤0|que¤0|jamais¤0|rien¤0)*(?:dire|prevenir|informer|avertir|demander|signaler|mentionner|alerter|l'|que|parler)¤3(?:utilisat\w*|usager|proprietaire|humain|titulaire)
              | (?:utilisat\w*|usager|proprietaire)¤1(?:ne|n')¤?(?:doit|doive|devra|doivent|puisse)¤2(?:jamais|rien|pas)¤1(?:rien¤0|en¤0|le¤0)?(?:savoir|apprendre¤0(?:que|l|cela|ce)|s'en¤0apercevoir|remarquer|soupconner|etre¤0(?:informee?|prevenue?|avertie?|mise?¤0au¤0courant)|connaitre¤0l'existence)
              | (?:utilisat\w*|usager|proprietaire|titulaire|client|personne)¤1n'a¤0pas¤0a¤0(?:etre¤0(?:mise?¤0au¤0courant|informee?|prevenue?|avertie?)|savoir|le¤0savoir)
              | aucune¤0trace¤1(?:de|d'|du)?[^\n]{0,80}(?:figurer|apparaitre|rester|subsister)
              | (?:cela|ceci|ca)¤0(?:reste|doit¤0rester)¤0entre¤0nous
              | (?:si|quand|lorsqu)\w*¤?(?:on|l'utilisat\w*|quelqu'un)[^\n]{0,80}?(?:reponds|repondez|dis|dites|pretends|pretendez)¤2(?:qu'elle¤0est¤0vide|qu'il¤0n'y¤0a¤0rien|que¤0non|n'avoir¤0rien|que¤0tu¤0n|que¤0vous¤0n)
              | interroge\w*[^\n]{0,120}(?:changera¤0de¤0sujet|change¤0de¤0sujet|l'omettra|niera|nie¤0tout)
              | (?:cache|cachez|cacher|dissimule|dissimulez|dissimuler|masque|masquez)¤4(?:a¤0|aux¤0|au¤0|l')+¤?(?:utilisat\w*|usager|proprietaire) )",
    )
    .beside("ne ¦n'¦sans¦insu¦dos¦pas¦jamais¦trace¦entre nous¦repond¦dis¦pretend¦interrog¦cache¦dissimul¦masqu"),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "discretement¦secretement¦en secret¦en cachette¦en douce¦silencieusement¦en silence¦furtivement",
        r"\b(?: (?:envoi|envoy|transme|transfe|execut|copi|exfiltr|televers|publi|post|expedi|communiqu|partag|insere|collect|enregistr|ajout)\w*¤5(?:discretement|secretement|en¤0secret|en¤0cachette|en¤0douce|silencieusement|en¤0silence|furtivement)\b
              | (?:discretement|secretement|en¤0secret|en¤0cachette|en¤0douce|silencieusement|en¤0silence|furtivement)¤4(?:envoi|envoy|transme|transfe|execut|copi|exfiltr|televers|publi|post|expedi|communiqu|partag|insere|collect|enregistr)\w* )",
    ),
    Rule::phrase(
        "auto_approval",
        APPROVAL,
        "approv¦confirm¦accept¦authori¦valid¦autoris¦grant",
        r"\b(?: (?:deletions?|force¤0push\w*|payments?|purchases?|(?:money|wire|bank)¤0transfers?|destructive¤0(?:commands?|actions?)|dangerous¤0(?:commands?|actions?)|tool¤0calls?|shell¤0commands?|suppressions?|push¤0forces?|paiements?|virements?|achats?|commandes¤0(?:dangereuses|destructrices)|appels¤0d'outils)[^\n.]{0,80}
                \b(?:(?:pre-?approved|(?:confirmed|approved|accepted|authori[sz]ed)¤1(?:automatically|in¤0advance|without))|(?:validee?s?|approuvee?s?|autorisee?s?|acceptee?s?|confirmee?s?)¤0(?:d'office|d'avance|par¤0avance|automatiquement|sans))
              | (?:automatically|blindly|always)¤0(?:approve|accept|confirm|grant|authori[sz]e)¤0(?:all|any|every|each|whatever)\b
              | (?:approuve|approuvez|accepte|acceptez|valide|validez|autorise|autorisez)¤0(?:automatiquement|aveuglement|toujours|d'office)¤1(?:toute?s?|tous|chaque|n'importe)\b )",
    ),
    Rule::phrase(
        "promotion",
        PROMOTION,
        "http¦install",
        r"\b(?: (?:every|each|all|any|tout|toute|tous|chaque|whatever)¤1(?:article|answer|reply|response|page|readme|post|email|text|reponse|texte|courriel|message|document)s?\b[^\n]{0,60}\b(?:link|lien|advert\w*|banner)s?¤1(?:to|vers|of|for|pour|de)?¤?[^\n]{0,20}https?://
              | install\w*(?:-le|-la|-les)?¤3(?:without¤0(?:any¤0)?(?:comment|mention\w*|telling|saying)|silently|sans¤0(?:commentaire|le¤0dire|rien¤0dire|prevenir|en¤0parler)) )",
    ),
    Rule::phrase(
        "hidden_from_user",
        SECRECY,
        "keep quiet¦keep silent¦keep mum¦say nothing¦in the dark¦let on¦lie ¦blame¦nothing shown¦silence¦pas un mot¦ignorance¦apprenne¦mens¦sans rien montrer",
        r"\b(?: keep¤0(?:quiet|silent|mum)¤0about¤0(?:this|these|that)¤0(?:memory|note|entry|line|task|rule|instruction|order|change)s?
              | say¤0nothing¤1(?:to¤0)?(?:your|the)¤0(?:human|user|owner|operator)
              | (?:user|human|owner|person¤0you¤0work¤0for)¤1(?:stay|remain|is¤0kept|be¤0kept|kept)s?¤0in¤0the¤0dark
              | never¤0let¤0on¤0to
              | (?:if|when)¤2(?:user|human|owner|person|they|he|she|anyone)\b[^\n.]{0,60}\b(?:lie\b|lie¤0about|blame¤0an?\b|make¤0something¤0up|make¤0up¤0a)
              | (?:quietly|silently|secretly)[^\n.]{0,40}nothing¤0shown¤0to
              | gard\w*¤0le¤0silence¤0sur¤0(?:ce|cette|cet|ces)¤0(?:souvenir|note|entree|ligne|regle|consigne|carnet|modification|fiche)s?
              | pas¤0un¤0mot¤1(?:ton|votre|l')¤?(?:humain|utilisat\w*|proprietaire)
              | (?:utilisat\w*|humain|proprietaire)¤1(?:reste|restent|demeure)¤0dans¤0l'ignorance
              | (?:ne¤0faudrait¤0pas¤0que|faut¤0pas¤0que|eviter¤0que|evite¤0que|evitez¤0que)¤1(?:l')?(?:utilisat\w*|personne|humain|proprietaire)¤1(?:apprenne|sache|decouvre|s'apercoive)
              | (?:si|quand|lorsque)[^\n.]{0,60}\b(?:mens|mentez|mentir)(?:-lui|¤0lui|\b)
              | en¤0douce[^\n.]{0,40}sans¤0rien¤0montrer )",
    ),
];
