#!/usr/bin/env python3
"""Writes made-up notes for `carnet import`, half French and half English, with facts planted among them.

    python3 benches/notes.py COUNT NOTES.jsonl QUESTIONS.jsonl

Every line of QUESTIONS is {"query", "gold"}: a question about a planted fact, asked in the other language as often as in the
fact's own, and the id of the note that answers it. The same COUNT gives the same notes.
"""

import json
import random
import sys

SUBJECTS = {
    "en": "The team;The client;Our service;The build;A colleague;The database;The user;The api gateway;The pipeline;The dashboard;"
    "The scheduler;The mobile app;The backend;The customer;The operations group;The designer;The reviewer;The intern".split(";"),
    "fr": "L'équipe;Le client;Notre service;La compilation;Une collègue;La base de données;L'utilisateur;La passerelle;La chaîne;"
    "Le tableau de bord;L'ordonnanceur;L'application mobile;Le serveur;La cliente;L'exploitation;Le graphiste;La relectrice;Le stagiaire".split(";"),
}
VERBS = {
    "en": "prefers;rejected;migrated;measured;documents;renamed;postponed;approved;restarted;tested;replaced;archived;reviewed;"
    "deployed;cancelled;encrypted;monitored;translated".split(";"),
    "fr": "préfère;a refusé;a migré;a mesuré;documente;a renommé;a repoussé;a validé;a redémarré;a testé;a remplacé;a archivé;a relu;"
    "a déployé;a annulé;a chiffré;surveille;a traduit".split(";"),
}
OBJECTS = {
    "en": "the invoices;the login page;a cache of sessions;the release notes;the message queue;the color palette;nightly backups;"
    "the rate limiter;error reports;the onboarding guide;feature flags;the search index;vacation requests;the network switch;"
    "unit tests;the contract;the training budget;the old printer;the password policy;the meeting room".split(";"),
    "fr": "les factures;la page de connexion;un cache de sessions;les notes de version;la file de messages;la palette de couleurs;"
    "les sauvegardes nocturnes;le limiteur de débit;les rapports d'erreur;le guide d'accueil;les drapeaux de fonctions;"
    "l'index de recherche;les demandes de congés;le commutateur réseau;les tests unitaires;le contrat;le budget de formation;"
    "la vieille imprimante;la politique de mots de passe;la salle de réunion".split(";"),
}
ENDS = {
    "en": "before the summer;because of the audit;after a long discussion;with {tool} {version};in the {city} office;on port {port};"
    "since ticket {ticket};for the second quarter;without telling anyone;at the request of {name}".split(";"),
    "fr": "avant l'été;à cause de l'audit;après une longue discussion;avec {tool} {version};au bureau de {city};sur le port {port};"
    "depuis le ticket {ticket};pour le deuxième trimestre;sans prévenir personne;à la demande de {name}".split(";"),
}
TOOLS = "Redis Kafka Terraform Axum Django Postgres Grafana Vite Nginx Ansible Celery Prometheus".split()
CITIES = "Lyon Nantes Paris Lille Toulouse Berlin Dublin Oslo Porto Gand".split()
SYLLABLES = "bra quo vel mir ton zel dru fan gor lis pem rax sul tov wen yor kel nub hax jin cor dap".split()
PLANTED = [
    ("{name} is allergic to {food}.", "{name} est allergique à {food_fr}.", "what is {name} allergic to?", "à quoi {name} est-il allergique ?"),
    ("{name} keeps the spare keys in the {place}.", "{name} garde le double des clés dans {place_fr}.", "where does {name} keep the spare keys?", "où {name} garde-t-il le double des clés ?"),
    ("{name} was born in {city}.", "{name} est né à {city}.", "where was {name} born?", "où {name} est-il né ?"),
    ("{name} plays the {music}.", "{name} joue {music_fr}.", "which instrument does {name} play?", "de quel instrument {name} joue-t-il ?"),
]
FOODS = [("hazelnuts", "aux noisettes"), ("shellfish", "aux crustacés"), ("sesame", "au sésame"), ("milk", "au lait")]
PLACES = [("garage", "le garage"), ("blue drawer", "le tiroir bleu"), ("cellar", "la cave"), ("mailbox", "la boîte aux lettres")]
MUSIC = [("cello", "du violoncelle"), ("oboe", "du hautbois"), ("accordion", "de l'accordéon"), ("harp", "de la harpe")]


def name(rng):
    word = lambda: "".join(rng.choice(SYLLABLES) for _ in range(3)).capitalize()
    return f"{word()} {word()}"


def sentence(rng, lang):
    end = rng.choice(ENDS[lang]).format(
        tool=rng.choice(TOOLS), version=f"{rng.randint(0, 20)}.{rng.randint(0, 40)}.{rng.randint(0, 9)}", city=rng.choice(CITIES),
        port=rng.randint(1024, 65000), ticket=f"OPS-{rng.randint(100, 99999)}", name=name(rng))
    return f"{rng.choice(SUBJECTS[lang])} {rng.choice(VERBS[lang])} {rng.choice(OBJECTS[lang])} {end}."


def planted(rng):
    en, fr, ask_en, ask_fr = rng.choice(PLANTED)
    (food, food_fr), (place, place_fr), (music, music_fr) = rng.choice(FOODS), rng.choice(PLACES), rng.choice(MUSIC)
    words = dict(name=name(rng), food=food, place=place, place_fr=place_fr, music=music, music_fr=music_fr, city=rng.choice(CITIES))
    text = en.format(**words) if rng.random() < 0.5 else fr.replace("à {food_fr}", food_fr).format(**words)
    return text, (ask_en if rng.random() < 0.5 else ask_fr).format(**words)


def main():
    count, notes, questions = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    rng = random.Random(count)
    every = max(1, count // 200)
    with open(notes, "w") as out, open(questions, "w") as asked:
        for number in range(count):
            if number % every == 0:
                text, question = planted(rng)
                asked.write(json.dumps({"query": question, "gold": f"n{number}"}) + "\n")
            else:
                lang = rng.choice(["en", "fr"])
                text = " ".join(sentence(rng, lang) for _ in range(rng.randint(1, 5)))
            line = {"id": f"n{number}", "text": text, "layer": rng.choice(["facts", "episodes", "episodes"])}
            line["created"] = f"202{rng.randint(3, 6)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:00Z"
            line["category"] = rng.choice(["tech", "project", "general"])
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
