//! Rules for commands: sending things away, staying, taking orders from elsewhere.

use crate::guard::rule::Rule;

const EXFILTRATION: &str = "it sends secrets or conversations away";
const PERSISTENCE: &str = "it plants a key or a hidden rule for later sessions";
const REMOTE: &str = "it puts the agent under a remote command";

/// The table.
pub(super) const RULES: &[Rule] = &[
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "curl¦wget¦invoke-webrequest¦invoke-restmethod¦iwr ¦httpie¦http post¦xh ",
        r"\b(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|http(?:ie)?|xh)\b[^\n]{0,300}?
          (?: (?:\s-d\b|--data[\w-]*|\s-f\b|--form\b|\s-t\b|--upload-file|--post-data|--post-file|--body-data|-body\b|-infile\b|\s-d\s*@|@)[^\n]{0,120}?
                (?: \$\{?[a-z0-9_]*(?:key|token|secret|passw|passwd|credential|cred)[a-z0-9_]*
                  | \$\(\s*(?:env|printenv|cat|set|base64|history|tar|whoami|find)\b | '\s*(?:env|printenv)\s*'
                  | \.env\b | credentials\b | id_(?:rsa|ed25519|ecdsa|dsa)\b | \.netrc | \.pgpass | \.npmrc | \.pypirc | \.aws/ | \.ssh/ | \.gnupg | \.config/gh | \.docker/config | /etc/(?:passwd|shadow) | \.kube/config | memory\.md | user\.md | \.git-credentials | \.bash_history | \.zsh_history | wallet | cookies?\b | keychain | shadow\b )
            | https?://[^\s]*(?: \$\{?[a-z0-9_]*(?:key|token|secret|passw|credential)[a-z0-9_]* | \$\(\s*(?:env|printenv|cat|base64|history|whoami|hostname|id|find|tar)\b | '\s*(?:cat|env|printenv) ) )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "curl¦wget¦nc ¦ncat¦netcat¦socat¦telnet¦/dev/tcp¦scp ¦rsync¦openssl s_client¦rclone¦sendmail¦mail -s¦dig ¦nslookup¦aws s3",
        r"(?: \b(?:env|printenv|history|set|(?:cat|tar|base64|gzip|zip|xxd|head|openssl)\b[^\n|]{0,120}(?:\.env\b|credentials|id_(?:rsa|ed25519|ecdsa)|\.netrc|\.pgpass|\.aws|\.ssh|/etc/(?:passwd|shadow)|\.kube|\.gnupg|secrets?\b|\.npmrc|\.pypirc|memory\.md|user\.md|history|wallet|cookies|password))[^\n|]{0,80}\|[^\n]{0,160}\b(?:curl|wget|nc|ncat|netcat|socat|telnet|sendmail|mail|openssl|ssh|rclone)\b
            | \b(?:nc|ncat|netcat|socat|telnet)\b[^\n]{0,120}<\s*[^\n]{0,40}(?:\.env\b|credentials|id_(?:rsa|ed25519)|\.ssh|/etc/(?:passwd|shadow)|\.aws|\.netrc)
            | \b(?:scp|rsync|rclone|aws¤0s3)\b[^\n]{0,120}(?:\.env\b|\.aws\b|\.ssh\b|id_(?:rsa|ed25519)|\.gnupg|/etc/shadow|\.netrc|\.kube|credentials)[^\n]{0,80}(?:@|://|[\w.-]+:)
            | \b(?:bash|sh)\b[^\n]{0,60}/dev/tcp/ | \b(?:nc|ncat|netcat)\b[^\n]{0,60}\s-[a-z]*e[a-z]*\s+/bin/(?:ba)?sh
            | \b(?:dig|nslookup|ping)\b[^\n]{0,40}\$\([^\n]{0,80}\)\.[a-z] )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "api key¦api_key¦token¦password¦secret¦credential¦private key¦ssh key¦.env¦environment variable¦env var¦conversation¦chat history¦chat log¦memory¦memories¦system prompt¦session¦keys¦transcript¦everything the user¦exfiltrate¦all files¦browser¦/.ssh¦/.aws¦/.gnupg¦/.kube¦/.config/¦messages¦cookies¦transcript",
        r"\b(?: (?:send|post|upload|transmit|forward|email|e-mail|mail|leak|push|submit|deliver|transfer|report|copy|share|dump|relay|publish|include|append|attach|encode)\w*¤6
                (?:api[\ _-]?keys?|(?:access¤0|auth¤0|session¤0|api¤0)?tokens?|passwords?|secrets?|credentials?|(?:private|ssh|secret)¤0keys?|~?/?\.(?:env|ssh|aws|gnupg|kube|netrc|config/\w+)\b|env(?:ironment)?¤0var(?:iable)?s?|(?:the¤0|this¤0|every¤0|all¤0|whole¤0|entire¤0|full¤0)*(?:conversations?|chat¤0(?:history|logs?)|transcripts?|memory|memories|session¤0(?:history|logs?)|system¤0prompt|messages?¤0(?:history|from¤0the¤0user))|everything¤0the¤0user¤1\w+|cookies|all¤0files|browser¤0\w+)
                [^\n]{0,120}?\b(?:to|at|on|via|in)¤3(?:https?://|ftp://|[\w.+-]+@[\w-]+\.|external|attacker|remote|(?:my|our|an?)¤2(?:server|endpoint|webhook|domain|address)|pastebin|discord|telegram|(?:[a-z0-9-]+\.)+(?:com|net|org|io|ru|cn|xyz|site|top|dev|example|evil|tld|info|me|co)\b)
              | (?:send|post|upload|transmit|forward|email|mail|push|submit|deliver|transfer|report|relay)\w*¤3(?:to|at)¤1(?:https?://|ftp://|[\w.+-]+@[\w-]+\.)[^\n]{0,80}\b(?:api[\ _-]?keys?|passwords?|secrets|credentials?|(?:private|ssh)¤0keys?|\.env|env(?:ironment)?¤0var(?:iable)?s?|(?:the|this|every|whole|entire|full)¤0(?:conversation|chat¤0history|transcript|memory)|system¤0prompt)
              | exfiltrat(?:e|es|ing)¤4(?:data|files?|keys?|tokens?|secrets?|credentials?|conversations?|memory|user|everything|them|it|passwords?) )",
    )
    .beside("http¦ftp¦@¦external¦attacker¦remote¦server¦endpoint¦webhook¦domain¦address¦pastebin¦discord¦telegram¦.com¦.net¦.org¦.io¦.ru¦.cn¦.xyz¦.site¦.top¦.dev¦.example¦.evil¦.tld¦.info¦.me¦.co¦exfiltrat"),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "cle¦jeton¦token¦mot de passe¦mots de passe¦secret¦identifiants¦variable¦.env¦conversation¦historique¦memoire¦memory.md¦fichier¦echange¦exfiltr¦prompt¦messages¦donnees¦/.ssh¦/.aws¦/.gnupg¦/.kube¦/.config/",
        r"\b(?: (?:envoi|envoy|transme|transfe|transfere|post|expedi|televers|copi|communiqu|publi|pouss|upload|fai[st]¤0suivre|faites¤0suivre|livr|depos|partag|relai|inclu|ajout|encod|soumet)\w*¤7
                (?:cles?¤1(?:d'api|api|ssh|privees?|secretes?|d'acces|de¤0l'utilisat\w+)|cles?\b|jetons?|tokens?|mots?¤0de¤0passe|secrets?|identifiants|variables¤0d'environnement|(?:dossier¤0)?~?/?\.(?:env|ssh|aws|gnupg|kube|netrc|config/\w+)\b|historique|conversations?|memoire|memory\.md|user\.md|fichiers?¤1(?:de¤0configuration|sensibles?|personnels?|prives?|\.env|de¤0l'utilisat\w+)|echanges|prompt¤0systeme|messages¤1de¤0l'utilisat\w+|donnees¤1(?:personnelles|de¤0l'utilisat\w+|sensibles|privees))
                [^\n]{0,120}?\b(?:a|vers|sur|chez|par|au|aupres|dans)¤3(?:https?://|ftp://|[\w.+-]+@[\w-]+\.|serveur¤1(?:externe|distant)|(?:mon|notre|un|une|cette|cet|l')¤?(?:serveur|adresse|webhook|domaine|point)|(?:[a-z0-9-]+\.)+(?:com|net|org|io|fr|ru|cn|xyz|site|top|dev|example|info|me|co|tld)\b)
              | (?:envoi|envoy|transme|transfe|post|expedi|televers|pouss)\w*¤3(?:a|vers|sur)¤1(?:https?://|[\w.+-]+@[\w-]+\.)[^\n]{0,80}\b(?:cles?¤1(?:d'api|api|ssh|privees?)|jetons?|mots?¤0de¤0passe|secrets|identifiants|variables¤0d'environnement|\.env|(?:toute¤0)?(?:la¤0|l')(?:conversation|historique|memoire))
              | exfiltr(?:e|es|ez|er)\b )",
    )
    .beside("http¦ftp¦@¦externe¦distant¦serveur¦adresse¦webhook¦domaine¦point¦.com¦.net¦.org¦.io¦.fr¦.ru¦.cn¦.xyz¦.site¦.top¦.dev¦.example¦.info¦.me¦.co¦.tld¦exfiltr"),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "](",
        r"!\[[^\]\n]*\]\(\s*https?://[^)\s]*(?: \{ | \$ | < | \[ | =(?:data|secret|token|conversation|memory|prompt|history|base64|message|text|notes)\b )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        "authorized_keys",
        r"(?: ssh-(?:rsa|ed25519|dss)\s+aaaa[^\n]*authorized_keys | ecdsa-sha2-\S+\s+aaaa[^\n]*authorized_keys
            | authorized_keys[^\n]*\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+)\s+aaaa
            | (?:>>|tee\s+-a)\s*\S*authorized_keys
            | \b(?:add|append|put|insert|install|copy|paste|write|plant)\w*¤1(?:this|my|the¤0following|attacker's?|the¤0attacker's|our|a¤0(?:new|second|hidden)|backdoor|the¤0key¤0below)¤4[^\n]{0,40}authorized_keys
            | \b(?:ajout|inser|ecri|install|copi|coll|depos|plac|mett|mets)\w*¤1(?:cette|ma|la¤0cle¤0(?:suivante|ci-dessous|de¤0l'attaquant)|notre|sa|une)¤4[^\n]{0,40}authorized_keys )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        "agents.md¦claude.md¦gemini.md¦soul.md¦.cursorrules¦.clinerules¦copilot-instructions¦.bashrc¦.zshrc¦.profile¦.bash_profile¦crontab¦cron job¦git/hooks¦git hook¦config.yaml¦settings.json¦memory.md¦tache cron¦systemd",
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
        "curl¦wget",
        r"\b(?: (?:always|each¤0time|every¤0(?:time|session|day|hour|start)|before¤0(?:each|every|any)|at¤0(?:the¤0)?(?:start|beginning)|on¤0(?:start-?up|every)|whenever|must|toujours|a¤0chaque|avant¤0(?:chaque|toute)|au¤0demarrage|au¤0debut|systematiquement|des¤0que)\b[^\n]{0,120}\b(?:curl|wget)\b[^\n]{0,160}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b
              | (?:curl|wget)\b[^\n]{0,160}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b[^\n]{0,120}\b(?:always|every|each|before|whenever|at¤0(?:the¤0)?start|must|toujours|a¤0chaque|avant|au¤0demarrage|au¤0debut|silently|without|sans) )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "c2 ¦command and control¦command-and-control¦commande et controle¦commande et de controle¦serveur de commande¦reverse shell¦shell inverse¦botnet",
        r"\b(?: c2¤0(?:server|channel|node|endpoint|beacon|url|domain) | command[\ -]and[\ -]control¤0(?:server|channel|node|endpoint|host|infrastructure)
              | serveur¤0de¤0commande¤0(?:et¤0)?(?:de¤0)?controle | (?:open|start|spawn|ouvr|lanc|demarr|launch|create)\w*¤3(?:reverse¤0shell|shell¤0inverse) | join¤2botnet | rejoin\w*¤2botnet )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "http¦server¦serveur¦webhook¦pastebin¦gist¦remote¦channel¦domain¦command¦task¦order¦instruction¦payload¦directive¦job¦ordre¦tache¦consigne¦script",
        r"\b(?: (?:fetch|pull|poll|download|retriev|get|read|check|load|request|receiv|await|wait¤0for|ask|query|contact|beacon|heartbeat|connect|visit|open|phone¤0home)\w*[^\n.]{0,60}?(?:commands?|tasks?|orders?|instructions?|payloads?|directives?|jobs?)[^\n]{0,100}?\b(?:execut|run|obey|follow|carry¤0out|perform|comply|apply)\w*
                [^\n]{0,60}?(?:\bthem\b|\bit\b|\bwhatever\b|\bwhat\b|\bwithout\b|\bimmediately\b|\bblindly\b|\beverything\b|\bany\b|\breturned\b|\bfirst\b|\bexactly\b|https?://|$)
              | (?:fetch|pull|download|retriev|read|visit|open|load|check|contact|query)\w*¤2https?://[^\s]+[^\n]{0,60}?\b(?:execut|run|obey|follow|carry¤0out|do)\w*¤2(?:it|them|whatever|what|any|every|the¤0(?:instructions?|commands?|orders?|returned|response|content|script|result|payload|steps))
              | (?:register|enroll?|sign¤0up|check¤0in|beacon|phone¤0home|report¤0in)\w*¤4(?:as¤1(?:node|bot|worker|agent|zombie|implant)|with|to)[^\n]{0,80}(?:https?://|server)[^\n]{0,80}\b(?:await|wait|receive|take|accept|follow|execute|obey|get)\w*¤3(?:orders?|commands?|tasks?|instructions?)
              | (?:recuper|telecharg|interrog|cherch|lis|lisez|lire|consult|demand|recev|recoi|attend|ouvr|charg|contact|verifi|appel)\w*[^\n]{0,80}?(?:ordres?|commandes?|taches?|instructions?|consignes?|script|directives?)[^\n]{0,120}?\b(?:execut|appliqu|obei|suis|suivez|lanc)\w*
                [^\n]{0,60}?(?:-les|-la|-le|\bles\b|\btout\b|\bsans\b|\baveugl|\bimmediatement\b|\bce¤0qu|https?://|\bqu'il|\ba¤0la¤0lettre\b)
              | (?:execut|appliqu|obei|suis|suivez|lanc)\w*[^\n]{0,60}?(?:ordres?|commandes?|taches?|instructions?|consignes?|script)\w*[^\n]{0,60}?(?:recues?|recus|publiee?s?|renvoye\w*|envoyee?s?|fournie?s?|presente?s?|trouvee?s?|venant|provenant|de|depuis|sur|du)¤4https?:// )",
    )
    .beside("execut¦run¦obey¦follow¦carry¦perform¦comply¦apply¦ do¦await¦wait¦receiv¦take¦accept¦get¦appliqu¦obei¦suis¦suivez¦lanc"),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "base64¦decod¦eval¦rot13¦hex",
        r"(?: \b(?:decod|decrypt|decode[rz]?|decrypte[rz]?)\w*¤6(?:and|then|et|puis)¤3(?:execut|run|eval|obey|follow|appliqu|lanc|obei|suis|suivez)\w*
            | \bbase64\s+(?:-d|--decode)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b | \beval\b[^\n]{0,20}\$?\(?[^\n]{0,40}base64 )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "rm -rf¦rm -fr¦mkfs¦:(){¦dd if=¦format c:",
        r"(?: \brm\s+-(?:rf|fr)\s+(?:--no-preserve-root\s+)?(?:/|~|\$home)/?\*?(?:\s|$|['\x22;&.,)]) | :\(\)\{\s*:\|:&\s*\};: | \bdd\s+if=/dev/(?:zero|u?random)\s+of=/dev/[sn] | \bmkfs\.\w+\s+/dev/[sn] )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "requests.¦urlopen¦fetch(¦axios¦irm ¦invoke-restmethod¦request(¦http.client¦httpx.¦uploadstring¦uploadfile¦downloadstring¦iwr ",
        r"(?: (?:requests\.(?:post|put|get)|urlopen|fetch\(|axios|\birm\b|invoke-restmethod|request\(|http\.client|httpx\.|uploadstring|uploadfile)[^\n]{0,240}(?:os\.environ|process\.env\b|readfilesync|get-content|\$env:|open\(|\.env\b|credentials|id_(?:rsa|ed25519)|\.netrc|\.ssh|getenv)
            | (?:os\.environ|readfilesync|get-content|open\([^\n)]{0,60}(?:\.env|\.ssh|credentials|\.netrc|id_rsa))[^\n]{0,200}(?:requests\.(?:post|put)|urlopen|fetch\(|axios|\birm\b|invoke-restmethod|httpx\.)
            | \b(?:exec|eval)\s*\([^\n]{0,120}(?:urlopen|requests\.get|fetch\(|httpx\.get) | \biex\b[^\n]{0,80}(?:downloadstring|\birm\b|\biwr\b|invoke-webrequest) )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "dig ¦nslookup¦host ¦ping ",
        r"(?: \b(?:base64|xxd|hexdump|od|gzip)\b[^\n]{0,120}\b(?:dig|nslookup|host|ping)\b[^\n]{0,60}\$\{?\w | \b(?:dig|nslookup|host|ping)\b[^\n]{0,60}\$\([^\n]{0,80}(?:cat|base64|xxd|env)\b )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        ".env¦.netrc¦.pgpass¦/etc/shadow¦/etc/passwd¦id_rsa¦id_ed25519¦.aws/¦.ssh/¦.git-credentials¦.npmrc¦credential¦identifiant¦password¦mot de passe¦mots de passe¦token¦jeton¦secret",
        r"(?: \b(?:includ|append|quot|paste|insert|add|put|show|print|join|cit|gliss|coll|recopi|ajout|affich|inser|mentionn|mets|mettez|read|lis|lisez|contents?|contenu)\w*[^\n]{0,60}?
                (?:\.env(?:\.\w+)?|\.netrc|\.pgpass|/etc/(?:shadow|passwd)|id_(?:rsa|ed25519)|\.aws/\w*|\.ssh/\w*|\.git-credentials|\.npmrc)[^\n]{0,90}?
                \b(?:(?:your|the|each|every|its|ta|votre|la|chaque|tes|vos|the¤0next)¤1(?:answer|reply|response|message|summary|comment|reponse|resume)s?\b|footnote|note¤0de¤0bas|in¤0full|en¤0entier|aloud)
            | \b(?:open|ouvr)\w*[^\n]{0,40}\.env[^\n]{0,60}\b(?:quot|cit|past|coll|affich|print)\w*
            | \b(?:whenever|when|each¤0time|chaque|des¤0qu'un|quand|every|any)¤1[^\n.]{0,20}(?:credentials?|passwords?|tokens?|secrets?|identifiants?|mots?¤0de¤0passe|jetons?)[^\n.]{0,60}\b(?:pass¤0it|send|forward|post|relay|relai|envo|transm|expedi|copi)\w*[^\n.]{0,40}(?:https?://|webhook|@) )",
    )
    .beside("answer¦reply¦response¦message¦summary¦comment¦reponse¦resume¦footnote¦note¦full¦entier¦aloud¦.env¦http¦webhook¦@"),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        "eval¦source <(¦crontab¦bash <(¦sh <(¦bash -c¦sh -c",
        r"(?: \b(?:eval|source|bash|sh|zsh)\s+(?:-c\s+)?['\x22]?(?:\$|<)\(\s*(?:curl|wget)\b | \b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b[^\n]{0,60}\bcrontab\b | crontab[^\n]{0,120}\b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        "this memory¦this entry¦this note¦this line¦this instruction¦this rule¦ce souvenir¦cette note¦cette entree¦cette consigne¦cette ligne¦cette regle",
        r"\b(?:re-?)?(?:sav|stor|add|copy|copi|writ|insert|propagat|replicat|recopi|enregistr|ajout|ecri|reecri|inser|propag|replique)\w*¤0
          (?:this¤0(?:memory|entry|note|line|instruction|rule)|ce¤0souvenir|cette¤0(?:note|entree|consigne|ligne|regle))[^\n]{0,100}
          (?:agents\.md|claude\.md|gemini\.md|\.cursorrules|copilot-instructions|surviv\w*|every¤0(?:session|project|repository)|each¤0(?:new¤0)?session|chaque¤0(?:nouvelle¤0)?session|autres?¤0(?:agents|projets|depots))",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "as though the user¦as if the user¦comme si l'utilisat¦tool result¦resultats d'outils",
        r"(?: https?://[^\n]{0,120}(?:as¤0(?:though|if)¤0the¤0user|comme¤0si¤0l'utilisat\w*)
            | \b(?:accept|obey|follow|execut|suiv|obei)\w*¤2(?:commands?|orders?|instructions?|commandes?|ordres?|consignes?)¤3(?:tool¤0results?|resultats¤0d'outils?|web¤0pages?|pages¤0web) )",
    ),
    Rule::phrase(
        "exfiltration",
        EXFILTRATION,
        "/.ssh¦/.aws¦/.gnupg¦/.config/gh¦/.kube¦.env¦.netrc¦credentials¦id_rsa¦id_ed25519",
        r"(?: https?://[^\n]{0,60}<\s*[^\n]{0,20}(?:\.aws|\.ssh|\.gnupg|\.env\b|\.netrc|\.kube|credentials|id_(?:rsa|ed25519))
            | \b(?:rclone|gsutil|sftp|ftp|lftp|azcopy|b2|s3cmd|mc)\b[^\n]{0,120}(?:\.aws|\.ssh|\.gnupg|\.env\b|\.netrc|\.kube|\.config/gh|credentials|id_(?:rsa|ed25519)) )",
    ),
    Rule::phrase(
        "persistence",
        PERSISTENCE,
        ".profile¦.bash_profile¦.bashrc¦.zshrc¦git/hooks¦launchagent¦systemd¦sessionstart¦session start¦agents.md¦claude.md¦gemini.md¦copilot-instructions¦.cursorrules¦autostart",
        r"(?: (?:nohup|/tmp/|curl|wget|\bnc\s|base64)[^\n]{0,80}>>\s*\S*(?:\.profile|\.bash_profile|\.bashrc|\.zshrc)
            | \b(?:curl|wget)\b[^\n]{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b[^\n]{0,80}(?:git/hooks|\.bashrc|\.zshrc|\.profile|launchagent|systemd|autostart)
            | \b(?:launchagent|service¤0systemd|systemd¤0(?:user¤0)?(?:service|unit)|service¤0utilisateur|sessionstart|session¤0start|autostart)\b[^\n]{0,80}(?:/tmp/|https?://\S+\.(?:sh|py|js))
            | \b(?:this|ce|cette|these|ces)¤0(?:paragraph\w*|text\w*|section|bloc|block|lines?|lignes?|rules?|regles?)[^\n]{0,40}(?:agents\.md|claude\.md|gemini\.md|copilot-instructions|\.cursorrules)[^\n]{0,60}\b(?:next|prochain\w*|every|chaque|other|autres?|future)¤0(?:agents?|sessions?) )",
    ),
    Rule::phrase(
        "remote_command",
        REMOTE,
        "take your¦take orders¦takes orders¦ses ordres¦tes ordres¦vos ordres¦xxd -r¦base64 -d¦| sh¦|sh¦| bash¦https://¦http://",
        r"(?: \btakes?¤0(?:your|its|all¤0your)?¤?(?:commands|orders|instructions)¤0from¤4(?:obey|without¤0asking|and¤0(?:run|execute|follow)|[^\n]{0,60}(?:obey|without¤0asking|execute))
            | \bpren\w*¤0(?:ses|tes|vos)¤0(?:ordres|consignes|commandes|instructions)¤0(?:dans|sur|de|depuis|aupres)
            | \bxxd\s+-r\b[^\n]{0,80}\|\s*(?:ba|z|da)?sh\b
            | \b(?:telecharg|recuper|ouvr|consult|lis|lisez|va¤0voir|allez¤0voir)\w*[^\n.]{0,20}https?://[^\s]+[^\n]{0,60}\b(?:execut|lanc|fai[st]|faites|appliqu)\w*(?:-l[ea]s?\b|-la\b)?[^\n]{0,20}(?:\btout\b|\bce¤0qu|aussitot|immediatement|\bsans\b|-les?\b) )",
    ),
];
