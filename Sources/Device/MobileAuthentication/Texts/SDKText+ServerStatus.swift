// Texts for the status codes of a FIDO UAF server (FIDO UAF Application API 1.1 section 3.1).
extension SDKText {
    static let notAllowed = SDKText(
        "The server does not allow this: the sign-in it was asked with is missing, has ended, or is not enough.",
        de:
            "Der Server erlaubt das nicht: Die Anmeldung, mit der es verlangt wurde, fehlt, ist beendet oder genügt nicht.",
        fr: "Le serveur ne l’autorise pas: la connexion utilisée manque, est terminée ou ne suffit pas.",
        it: "Il server non lo consente: l’accesso usato manca, è terminato o non basta.")

    static let forbidden = SDKText(
        "The account is locked, or has no room for another sign-in method.",
        de: "Das Konto ist gesperrt oder hat keinen Platz für eine weitere Anmeldemethode.",
        fr: "Le compte est bloqué ou n’a plus de place pour une méthode de connexion.",
        it: "L’account è bloccato o non ha spazio per un altro metodo di accesso.")

    static let unknownToServer = SDKText(
        "The server does not know what was asked for. A code may have expired, been used before or been withdrawn.",
        de: "Der Server kennt das Verlangte nicht. Ein Code kann abgelaufen, schon verwendet oder zurückgezogen sein.",
        fr: "Le serveur ne connaît pas ce qui est demandé. Un code a pu expirer, être déjà utilisé ou être retiré.",
        it: "Il server non conosce ciò che è richiesto. Un codice può essere scaduto, già stato usato o ritirato.")

    static let forgottenKey = SDKText(
        "The server does not know the key of this sign-in method any more.",
        de: "Der Server kennt den Schlüssel dieser Anmeldemethode nicht mehr.",
        fr: "Le serveur ne connaît plus la clé de cette méthode de connexion.",
        it: "Il server non conosce più la chiave di questo metodo di accesso.")

    static let lateAnswer = SDKText(
        "The answer came too late.",
        de: "Die Antwort kam zu spät.",
        fr: "La réponse est arrivée trop tard.",
        it: "La risposta è arrivata troppo tardi.")

    static let usedChallenge = SDKText(
        "The server takes this answer no more: it was given before, or has expired.",
        de: "Der Server nimmt diese Antwort nicht mehr an: Sie wurde schon gegeben oder ist abgelaufen.",
        fr: "Le serveur n’accepte plus cette réponse: elle a déjà été donnée ou a expiré.",
        it: "Il server non accetta più questa risposta: è già stata data o è scaduta.")

    static let refusedAnswer = SDKText(
        "The server did not accept what the device answered.",
        de: "Der Server hat die Antwort des Geräts nicht angenommen.",
        fr: "Le serveur n’a pas accepté la réponse de l’appareil.",
        it: "Il server non ha accettato la risposta del dispositivo.")

    static let refusedMethod = SDKText(
        "The server does not accept this sign-in method, model or version.",
        de: "Der Server akzeptiert diese Anmeldemethode, dieses Modell oder diese Version nicht.",
        fr: "Le serveur n’accepte pas cette méthode de connexion, ce modèle ou cette version.",
        it: "Il server non accetta questo metodo di accesso, questo modello o questa versione.")

    static let refusedAttestation = SDKText(
        "The server takes only keys in a chip or apps that it knows, and this device has not shown that it has them.",
        de: "Der Server nimmt nur ihm bekannte Apps oder Schlüssel in einem Chip; dieses Gerät hat keine nachgewiesen.",
        fr: "Le serveur n’accepte que des apps ou des clés en puce qu’il connaît; cet appareil n’en a pas montré.",
        it: "Il server accetta solo chiavi in un chip o app che conosce; questo dispositivo non le ha dimostrate.")

    static let serverFault = SDKText(
        "The server could not do it because of an internal fault.",
        de: "Der Server konnte es wegen eines eigenen Fehlers nicht ausführen.",
        fr: "Le serveur n’a pas pu le faire à cause d’une erreur interne.",
        it: "Il server non ha potuto farlo per un errore interno.")

    static let busyServer = SDKText(
        "The server gets too many requests.",
        de: "Der Server erhält zu viele Anfragen.",
        fr: "Le serveur reçoit trop de requêtes.",
        it: "Il server riceve troppe richieste.")

    static let hinderedServer = SDKText(
        "The server cannot do this at the moment.",
        de: "Der Server kann das im Moment nicht ausführen.",
        fr: "Le serveur ne peut pas le faire pour le moment.",
        it: "Il server non può farlo al momento.")

    static let notRegisteredHere = SDKText(
        "The user is not registered on this device.",
        de: "Das Konto ist auf diesem Gerät nicht registriert.",
        fr: "Le compte n’est pas enregistré sur cet appareil.",
        it: "L’account non è registrato su questo dispositivo.")
}

extension ServerStatus {
    var texts: (description: SDKText, recovery: SDKText) {
        switch code {
        case 1401: (.notAllowed, .addFromRegisteredDevice)
        case 1403: (.forbidden, .askProvider)
        case 1404: (.unknownToServer, .scanAgain)
        case 1408: (.lateAnswer, .tryAgain)
        case 1481: (.forgottenKey, .registerAgain)
        case 1490: (.foreignConnection, .leaveNetworkAndTell)
        case 1496: (.refusedAttestation, .updateOrAskProvider)
        case 1480, 1492...1495, 1497: (.refusedMethod, .updateOrAskProvider)
        case 1491: (.usedChallenge, .tryAgain)
        case 1500...1599: (.serverFault, .waitAndTryAgain)
        default: (.refusedAnswer, .updateOrAskProvider)
        }
    }
}
