extension PageTexts {
    static let italian: [PageText: String] = [
        .skip: "Vai al contenuto",
        .languages: "Lingue",
        .addressLabel: "Questa pagina appartiene a",
        .addressAdvice: "Verifica che il browser mostri questo indirizzo.",
        .signIn: "Accedi con il telefono",
        .signInLead: "Accederai a",
        .confirmText: "Conferma con il telefono",
        .confirmLead: "Una conferma è richiesta da",
        .textLabel: "Devi confermare",
        .textAdvice:
            """
        Il telefono mostra lo stesso testo. Conferma solo se i due sono uguali; si accetta solo sul \
        telefono.
        """,
        .scan: "Inquadra questo codice con l’app del telefono. Si rinnova da solo.",
        .codeAlternative: "Codice QR per l’app del telefono",
        .openHere: "Apri l’app su questo dispositivo",
        .digitsLabel: "Numero per il telefono",
        .digitsEnter: "Inserisci questo numero sul telefono.",
        .digitsCompare: "Conferma solo se il telefono mostra lo stesso numero.",
        .pushed: "Se l’utente esiste e ha un telefono, un messaggio è in arrivo. Aprilo e conferma.",
        .pushInstead: "Invia invece un messaggio al mio telefono",
        .userName: "Nome utente",
        .sendPush: "Invia",
        .codeInstead: "Mostra invece un codice QR",
        .newCode: "Riprova con un nuovo codice",
        .`continue`: "Continua",
        .cancel: "Annulla e torna indietro",
        .whereLabel: "Sei tu?",
        .siteLabel: "Sito",
        .browserLabel: "Browser",
        .networkLabel: "Indirizzo di rete",
        .unknown: "sconosciuto",
        .notMe:
            """
        Se il telefono te lo chiede e non hai aperto tu questa pagina, rispondi «Non ero io». Nessun \
        servizio di assistenza ti chiede mai di inquadrare un codice.
        """,
        .stateWaiting: "In attesa del telefono",
        .stateShown: "Il telefono mostra la richiesta. Conferma lì.",
        .stateConfirmed: "Confermato. Stai tornando al sito.",
        .stateDenied: "Hai rifiutato sul telefono. Nessuno ha effettuato l’accesso.",
        .stateReported: "Segnalato: qualcuno ha dichiarato di non averlo richiesto. Nessuno ha effettuato l’accesso.",
        .stateExpired: "Nessuno ha risposto in tempo.",
        .stateOffline: "Nessuna connessione al server. Nuovo tentativo in corso.",
        .stateLater: "Il server al momento non può interpellare il telefono. Riprova più tardi.",
        .myDevices: "I miei dispositivi",
        .signedInAs: "Accesso effettuato come",
        .noDevices: "Nessun dispositivo è registrato.",
        .addedOn: "Aggiunto il",
        .receivesPush: "riceve messaggi",
        .confirmedHere: "ha confermato questo accesso",
        .rename: "Rinomina",
        .newName: "Nuovo nome",
        .save: "Salva",
        .lost: "Perso o sostituito?",
        .remove: "Rimuovi",
        .removeOther:
            """
        Confermi la rimozione su un altro dei tuoi dispositivi. Questo poi non fa più accedere nessuno e \
        tutti gli accessi terminano.
        """,
        .removeLast:
            """
        È il tuo ultimo dispositivo: confermi su di esso e poi non potrai più accedere. Se è perso, chiedi \
        al servizio di rimuoverlo.
        """,
        .renamed: "Il dispositivo ha il nuovo nome.",
        .removed: "Il dispositivo è rimosso.",
        .nameRefused: "Questo nome non è possibile: è vuoto, troppo lungo o già in uso.",
        .deviceUnknown: "Questo dispositivo non esiste.",
        .confirmRemoval: "Conferma prima con un altro dispositivo, poi rimuovilo entro due minuti.",
        .history: "Cronologia",
        .historyCaption: "Ultimi eventi del tuo account, dal più recente; orari in UTC",
        .historyAdvice: "Se non riconosci un evento, rimuovi il dispositivo interessato e avvisa il servizio.",
        .noHistory: "Non è ancora successo nulla.",
        .when: "Quando",
        .happened: "Evento",
        .details: "Dettagli",
        .historySignIn: "Accesso",
        .historyPayment: "Testo confermato",
        .historyDenied: "Rifiutato o non riuscito",
        .historyReported: "Segnalato: non richiesto",
        .historyDeviceAdded: "Dispositivo aggiunto",
        .historyDeviceRemoved: "Dispositivo rimosso",
        .historyPasskeyAdded: "Passkey aggiunta",
        .historyPasskeyRemoved: "Passkey rimossa",
        .passkeyNoticeTitle: "Nuova passkey nel tuo account",
        .historyLocked: "Account bloccato",
        .announcementTitle: "Nuovo dispositivo nel tuo account",
        .announcementBody: "Se non eri tu, rimuovilo nella pagina dei tuoi dispositivi.",
        .backToSite: "Torna al sito",
        .logOutTitle: "Uscire?",
        .logOutAsk: "Stai per terminare la sessione in questo browser.",
        .logOut: "Esci",
        .loggedOutTitle: "Hai effettuato l’uscita",
        .loggedOut: "Puoi chiudere questa finestra.",
        .frontTitle: "Servizio di accesso",
        .frontLead: "I siti web ti portano qui quando accedi con il telefono.",
        .frontInterface: "Interfaccia per i programmi (OpenAPI)",
        .data: "Che cosa è conservato su di me",
        .dataLead: "Tutto ciò che questo servizio conserva su di Lei; stato del",
        .dataAdvice: "Prima di mostrare tutto, confermi ancora una volta con il telefono.",
        .dataShow: "Mostra",
        .dataFile: "Salva come file (JSON)",
        .dataNone: "Niente",
        .dataAccount: "Conto",
        .dataDevices: "Dispositivi",
        .dataCredentials: "Chiavi",
        .dataOperations: "Operazioni in corso",
        .dataSessions: "Sessioni",
        .dataGrants: "Siti con accesso",
        .dataReceipts: "Ricevute",
        .dataAudit: "Registro",
        .refusedTitle: "Così non funziona",
        .refusedUnknownClient:
            """
        Il sito che ti ha mandato qui non è noto a questo server. Torna indietro e avvisa il gestore.
        """,
        .refusedRedirect:
            """
        Il sito voleva mandarti a un indirizzo non registrato. Per la tua protezione questa pagina non porta \
        da nessuna parte.
        """,
        .refusedMalformed: "La richiesta del sito non è corretta. Torna indietro e avvisa il gestore.",
        .refusedOtherBrowser:
            """
        Questo accesso non esiste in questo browser. È terminato, ha lasciato il posto ad altri perché erano \
        aperti moltissimi accessi, o è iniziato in un altro browser. Torna al sito e ricomincia.
        """,
        .refusedExpired: "Questo accesso è scaduto. Torna al sito e ricomincia.",
        .refusedForm:
            """
        Il modulo non è completo, oppure viene da un’altra pagina. Non è stato fatto nulla. Torna indietro, \
        ricarica la pagina e riprova.
        """,
        .refusedTooMany: "Ci sono troppi accessi aperti in questo momento. Riprova tra un minuto.",
        .refusedUnavailable: "Il server al momento non può farlo. Riprova tra un minuto.",
        .codes: "Codici di recupero",
        .codesAdvice:
            """
        Con un codice e un tempo di attesa aggiungi un nuovo telefono quando non ne hai più. Conserva i codici \
        lontano dal telefono. Prima che siano mostrati, confermi ancora una volta con il telefono.
        """,
        .codesLeft: "Codici rimasti:",
        .codesMake: "Crea nuovi codici",
        .codesOnce:
            """
        Questi codici sono mostrati solo questa volta. Annotali o stampali. Ognuno vale una volta; i codici \
        precedenti non valgono più.
        """,
        .codesUse: "Un codice si usa all’indirizzo",
        .recoverTitle: "Non ho più un telefono",
        .recoverLead: "Inserisci il nome utente e uno dei tuoi codici di recupero.",
        .recoverCode: "Codice di recupero",
        .recoverBegin: "Inizia l’attesa",
        .recoverAdvice:
            """
        Il codice è allora consumato, inizia un tempo di attesa e tutti i tuoi telefoni sono avvisati. Torna poi \
        con questo browser.
        """,
        .recoverWrong: "Nome utente o codice errato.",
        .recoverThrottled: "Troppi tentativi. Riprova tra un quarto d’ora.",
        .recoverWaits: "L’attesa è iniziata. Questa pagina mostra di più dalle (UTC)",
        .recoverWaitsAdvice:
            """
        Conserva questo browser e torna allora. I tuoi telefoni sono stati avvisati: con ognuno di essi puoi \
        terminare questa procedura.
        """,
        .recoverOpen: "L’attesa è finita. Questa pagina è aperta fino alle (UTC)",
        .recoverScan: "Scansiona questo codice con l’app sul nuovo telefono. Vale alcuni minuti, per un solo telefono.",
        .recoverInvite: "Mostra un codice per il nuovo telefono",
        .recoverPhones: "Rimuovi i telefoni che hai perso",
        .recoverOver: "Questo recupero è finito: è stato terminato, il suo tempo è passato o hai un nuovo telefono.",
        .recoverUnderWay:
            """
        Per il tuo account è stato chiesto un nuovo telefono senza nessuno dei tuoi telefoni. Se non sei stato tu, \
        termina la procedura prima delle (UTC)
        """,
        .recoverNotMe: "Non sono stato io: termina",
        .recoverStopped: "È terminato. I tuoi codici di recupero non valgono più; creane di nuovi.",
        .recoverNoneUnderWay: "Non c’è nulla da terminare.",
        .weakerNoticeTitle: "Un metodo di accesso più debole è stato rifiutato",
        .weakerNoticeBody: "Il tuo account ne ha uno più forte. Se non sei stato tu, rimuovi quello più debole.",
        .recoveryNoticeTitle: "Recupero del tuo account",
        .passkeySignIn: "Accedi con una passkey",
        .passkeyUserName: "Nome utente (facoltativo)",
        .passkeyUnused: "Nessuna passkey è stata usata.",
        .passkeyRefused: "Con questa passkey non accedi. Usa il telefono o un’altra passkey.",
        .passkeyWeaker:
            """
        Il tuo account ha un modo di accesso più forte, e solo con quello accedi. Dopo la sua rimozione passa un \
        tempo di attesa prima che basti questa passkey.
        """,
        .passkeyTooWeak: "Questo sito chiede il tuo telefono; una passkey non basta.",
        .passkeys: "Passkey",
        .passkeysAdvice:
            """
        Con una passkey accedi quando nessun telefono è più registrato. Prima di aggiungerne o rimuoverne una, \
        confermi ancora una volta.
        """,
        .passkeyOnOne: "resta sul suo dispositivo",
        .passkeyOnSeveral: "può trovarsi su più dispositivi",
        .lastUsed: "ultimo uso il",
        .neverUsed: "mai usata",
        .passkeyName: "Nome della nuova passkey",
        .passkeyAdd: "Aggiungi una passkey",
        .passkeyAdded: "La passkey è aggiunta.",
        .passkeyRenamed: "La passkey ha il nuovo nome.",
        .passkeyRemoved: "La passkey è rimossa.",
        .passkeyRemoval:
            """
        Dopo non ti fa più accedere, e gli accessi fatti con essa terminano. Il browser o la chiave forse la offre \
        ancora: rimuovila anche lì.
        """,
        .passkeyUnknown: "Questa passkey non esiste.",
        .passkeyUnusable:
            """
        Questa passkey non è accettata: la sua risposta non è valida, o il servizio non prende questo tipo.
        """,
        .passkeyTooMany: "Hai il numero massimo di passkey. Rimuovine prima una.",
        .passkeyKnown: "Qui c’è già una tua passkey.",
        .removeLastPhone:
            """
        È il tuo ultimo telefono: confermi su di esso, e tutti gli accessi terminano. Le tue passkey bastano solo \
        dopo un tempo di attesa.
        """,
        .recoveryNoticeBody: "Se non sei stato tu, terminalo sulla pagina dei tuoi dispositivi.",
        .historyRecoveryBegun: "Recupero senza telefono iniziato",
        .historyRecoveryEnded: "Recupero senza telefono terminato",
    ]
}
