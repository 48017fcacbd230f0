// Texts for the codes of the FIDO UAF client API.
extension SDKText {
    static let succeeded = SDKText(
        "The operation succeeded.",
        de: "Der Vorgang ist gelungen.",
        fr: "L’opération a réussi.",
        it: "L’operazione è riuscita.")

    static let waitsForUser = SDKText(
        "The operation waits for the user.",
        de: "Der Vorgang wartet auf die Benutzerin oder den Benutzer.",
        fr: "L’opération attend l’utilisateur.",
        it: "L’operazione attende l’utente.")

    static let insecureTransport = SDKText(
        "The connection to the server is not protected.",
        de: "Die Verbindung zum Server ist nicht geschützt.",
        fr: "La connexion au serveur n’est pas protégée.",
        it: "La connessione al server non è protetta.")

    static let canceled = SDKText(
        "The operation was canceled.",
        de: "Der Vorgang wurde abgebrochen.",
        fr: "L’opération a été annulée.",
        it: "L’operazione è stata annullata.")

    static let unsupportedVersion = SDKText(
        "The server speaks no version of the protocol that this app knows.",
        de: "Der Server spricht keine Protokollversion, die diese App kennt.",
        fr: "Le serveur n’utilise aucune version du protocole connue de cette app.",
        it: "Il server non usa nessuna versione del protocollo nota a questa app.")

    static let noSuitableAuthenticator = SDKText(
        "The server accepts no sign-in method of this device.",
        de: "Der Server akzeptiert keine Anmeldemethode dieses Geräts.",
        fr: "Le serveur n’accepte aucune méthode de connexion de cet appareil.",
        it: "Il server non accetta nessun metodo di accesso di questo dispositivo.")

    static let protocolError = SDKText(
        "A message was malformed or refused.",
        de: "Eine Nachricht war fehlerhaft oder wurde abgelehnt.",
        fr: "Un message était incorrect ou a été refusé.",
        it: "Un messaggio era errato o è stato rifiutato.")

    static let untrustedApplication = SDKText(
        "The server does not trust this app.",
        de: "Der Server vertraut dieser App nicht.",
        fr: "Le serveur ne fait pas confiance à cette app.",
        it: "Il server non considera attendibile questa app.")

    static let keyDisappeared = SDKText(
        "The key of this sign-in method is gone.",
        de: "Der Schlüssel dieser Anmeldemethode ist nicht mehr vorhanden.",
        fr: "La clé de cette méthode de connexion n’existe plus.",
        it: "La chiave di questo metodo di accesso non esiste più.")

    static let accessDenied = SDKText(
        "The sign-in method refused access.",
        de: "Die Anmeldemethode hat den Zugriff verweigert.",
        fr: "La méthode de connexion a refusé l’accès.",
        it: "Il metodo di accesso ha negato l’accesso.")

    static let unshowableTransaction = SDKText(
        "The transaction cannot be displayed safely.",
        de: "Die Transaktion kann nicht sicher angezeigt werden.",
        fr: "La transaction ne peut pas être affichée de façon sûre.",
        it: "La transazione non può essere mostrata in modo sicuro.")

    static let notResponsive = SDKText(
        "The time to answer has passed.",
        de: "Die Zeit zum Antworten ist abgelaufen.",
        fr: "Le temps de réponse est écoulé.",
        it: "Il tempo per rispondere è scaduto.")

    static let noRoom = SDKText(
        "There is no room left for keys on this device.",
        de: "Auf diesem Gerät ist kein Platz mehr für Schlüssel.",
        fr: "Il n’y a plus de place pour des clés sur cet appareil.",
        it: "Su questo dispositivo non c’è più spazio per le chiavi.")

    static let lockedOut = SDKText(
        "The sign-in method is locked after too many failed attempts.",
        de: "Die Anmeldemethode ist nach zu vielen Fehlversuchen gesperrt.",
        fr: "La méthode de connexion est bloquée après trop de tentatives échouées.",
        it: "Il metodo di accesso è bloccato dopo troppi tentativi falliti.")

    static let notEnrolled = SDKText(
        "This sign-in method is not set up on the device.",
        de: "Diese Anmeldemethode ist auf dem Gerät nicht eingerichtet.",
        fr: "Cette méthode de connexion n’est pas configurée sur l’appareil.",
        it: "Questo metodo di accesso non è configurato sul dispositivo.")

    static let failed = SDKText(
        "The operation failed.",
        de: "Der Vorgang ist fehlgeschlagen.",
        fr: "L’opération a échoué.",
        it: "L’operazione non è riuscita.")
}
