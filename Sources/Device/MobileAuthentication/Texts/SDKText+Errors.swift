// Texts for the errors of the operations.
extension SDKText {
    static let noDeviceLock = SDKText(
        "The device has no screen lock.",
        de: "Das Gerät hat keine Bildschirmsperre.",
        fr: "L’appareil n’a pas de verrouillage d’écran.",
        it: "Il dispositivo non ha un blocco schermo.")

    static let damagedRegistrations = SDKText(
        "What this app has stored of your registrations is damaged. Your accounts at the provider are not.",
        de:
            "Was diese App von Ihren Registrierungen gespeichert hat, ist beschädigt. Ihre Konten beim Anbieter sind es "
            + "nicht.",
        fr:
            "Ce que cette app a enregistré de vos inscriptions est endommagé. Vos comptes chez le fournisseur ne le sont "
            + "pas.",
        it:
            "Ciò che questa app ha salvato delle Sue registrazioni è danneggiato. I Suoi account presso il fornitore non "
            + "lo sono.")

    static let damagedKey = SDKText(
        "The key of this sign-in method is damaged. Your other sign-in methods and accounts are not.",
        de:
            "Der Schlüssel dieser Anmeldemethode ist beschädigt. Ihre anderen Anmeldemethoden und Konten sind es nicht.",
        fr: "La clé de cette méthode de connexion est endommagée. Vos autres méthodes et comptes ne le sont pas.",
        it: "La chiave di questo metodo di accesso è danneggiata. Gli altri metodi e account non lo sono.")

    static let untrustedDevice = SDKText(
        "The device is not trustworthy.",
        de: "Das Gerät ist nicht vertrauenswürdig.",
        fr: "L’appareil n’est pas digne de confiance.",
        it: "Il dispositivo non è affidabile.")

    static let unattestedApplication = SDKText(
        "The app could not prove that it is genuine.",
        de: "Die App konnte ihre Echtheit nicht nachweisen.",
        fr: "L’app n’a pas pu prouver son authenticité.",
        it: "L’app non ha potuto dimostrare la propria autenticità.")

    /// Text for an `AppAttestationError` with this cause: the server has refused, or there was nothing to send.
    static func unattested(_ cause: (any Error)?) -> SDKText {
        (cause as? ServerStatus)?.texts.description ?? unattestedApplication
    }

    static let wrongClock = SDKText(
        "The clock of the device is wrong.",
        de: "Die Uhr des Geräts geht falsch.",
        fr: "L’horloge de l’appareil n’est pas à l’heure.",
        it: "L’orologio del dispositivo non è corretto.")

    static let clocksApart = SDKText(
        "The clocks of device and server are too far apart.",
        de: "Die Uhren von Gerät und Server gehen zu weit auseinander.",
        fr: "Les horloges de l’appareil et du serveur sont trop éloignées.",
        it: "Gli orologi del dispositivo e del server sono troppo distanti.")

    static func clockDifference(_ distance: ClockSkewError.Distance, isAhead: Bool) -> SDKText {
        let units: (String, String, String, String) =
            switch distance.unit {
            case .seconds: ("seconds", "Sekunden", "secondes", "secondi")
            case .minutes: ("minutes", "Minuten", "minutes", "minuti")
            case .hours: ("hours", "Stunden", "heures", "ore")
            case .days: ("days", "Tage", "jours", "giorni")
            }
        let count = distance.count
        return SDKText(
            "The clock of the device is \(count) \(units.0) \(isAhead ? "ahead of" : "behind") the server's.",
            de: "Die Uhr des Geräts geht gegenüber dem Server \(count) \(units.1) \(isAhead ? "vor" : "nach").",
            fr: "L’horloge de l’appareil a \(count) \(units.2) \(isAhead ? "d’avance" : "de retard") sur le serveur.",
            it: "L’orologio del dispositivo è \(isAhead ? "avanti" : "indietro") di \(count) \(units.3) sul server.")
    }

    static let unsupportedByServer = SDKText(
        "The server does not offer this operation.",
        de: "Der Server bietet diesen Vorgang nicht an.",
        fr: "Le serveur ne propose pas cette opération.",
        it: "Il server non offre questa operazione.")

    static let registeredElsewhere = SDKText(
        "The user is already registered with another server.",
        de: "Das Konto ist bereits bei einem anderen Server registriert.",
        fr: "Le compte est déjà enregistré auprès d’un autre serveur.",
        it: "L’account è già registrato presso un altro server.")

    static let unknownUser = SDKText(
        "The server does not know the user.",
        de: "Der Server kennt das Konto nicht.",
        fr: "Le serveur ne connaît pas ce compte.",
        it: "Il server non conosce questo account.")

    static let hardwareCannotSign = SDKText(
        "The secure hardware could not sign.",
        de: "Die sichere Hardware konnte nicht signieren.",
        fr: "Le matériel sécurisé n’a pas pu signer.",
        it: "L’hardware sicuro non ha potuto firmare.")

    static let rooted = SDKText(
        "The device is rooted.",
        de: "Das Gerät ist gerootet.",
        fr: "L’appareil est rooté.",
        it: "Il dispositivo è sbloccato (root).")

    static let lockScreenChanged = SDKText(
        "The lock screen of the device has changed.",
        de: "Die Bildschirmsperre des Geräts wurde geändert.",
        fr: "Le verrouillage d’écran de l’appareil a changé.",
        it: "Il blocco schermo del dispositivo è cambiato.")

    static let noClient = SDKText(
        "The app could not prepare sign-in.",
        de: "Die App konnte die Anmeldung nicht vorbereiten.",
        fr: "L’app n’a pas pu préparer la connexion.",
        it: "L’app non ha potuto preparare l’accesso.")

    static let unknownAuthenticator = SDKText(
        "There is no such sign-in method.",
        de: "Diese Anmeldemethode gibt es nicht.",
        fr: "Cette méthode de connexion n’existe pas.",
        it: "Questo metodo di accesso non esiste.")

    static let notDeleted = SDKText(
        "The registration could not be deleted.",
        de: "Die Registrierung konnte nicht gelöscht werden.",
        fr: "L’enregistrement n’a pas pu être supprimé.",
        it: "La registrazione non ha potuto essere eliminata.")

    static let pinLocked = SDKText(
        "The PIN is locked after too many failed attempts.",
        de: "Die PIN ist nach zu vielen Fehlversuchen gesperrt.",
        fr: "Le code PIN est bloqué après trop de tentatives échouées.",
        it: "Il PIN è bloccato dopo troppi tentativi falliti.")

    static let noPin = SDKText(
        "There is no PIN to change.",
        de: "Es gibt keine PIN, die geändert werden könnte.",
        fr: "Il n’y a pas de code PIN à modifier.",
        it: "Non c’è nessun PIN da modificare.")

    static let passwordLocked = SDKText(
        "The password is locked after too many failed attempts.",
        de: "Das Passwort ist nach zu vielen Fehlversuchen gesperrt.",
        fr: "Le mot de passe est bloqué après trop de tentatives échouées.",
        it: "La password è bloccata dopo troppi tentativi falliti.")

    static let noPassword = SDKText(
        "There is no password to change.",
        de: "Es gibt kein Passwort, das geändert werden könnte.",
        fr: "Il n’y a pas de mot de passe à modifier.",
        it: "Non c’è nessuna password da modificare.")
}
