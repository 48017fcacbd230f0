// Texts for the errors of operations out of band and of the device information.
extension SDKText {
    static let malformedPayload = SDKText(
        "The code or message is not valid here.",
        de: "Der Code oder die Nachricht ist hier nicht gültig.",
        fr: "Le code ou le message n’est pas valable ici.",
        it: "Il codice o il messaggio non è valido qui.")

    static let undecryptable = SDKText(
        "The message was made for another device.",
        de: "Die Nachricht ist für ein anderes Gerät bestimmt.",
        fr: "Le message est destiné à un autre appareil.",
        it: "Il messaggio è destinato a un altro dispositivo.")

    static let alreadyRedeemed = SDKText(
        "The code was used before.",
        de: "Der Code wurde bereits verwendet.",
        fr: "Le code a déjà été utilisé.",
        it: "Il codice è già stato utilizzato.")

    static let tokenExpired = SDKText(
        "The code has expired.",
        de: "Der Code ist abgelaufen.",
        fr: "Le code a expiré.",
        it: "Il codice è scaduto.")

    static let nameInUse = SDKText(
        "Another device already has this name.",
        de: "Ein anderes Gerät trägt bereits diesen Namen.",
        fr: "Un autre appareil porte déjà ce nom.",
        it: "Un altro dispositivo ha già questo nome.")

    static let unknownDevice = SDKText(
        "The server does not know this device.",
        de: "Der Server kennt dieses Gerät nicht.",
        fr: "Le serveur ne connaît pas cet appareil.",
        it: "Il server non conosce questo dispositivo.")

    static let deviceNotAccepted = SDKText(
        "The server no longer accepts this device.",
        de: "Der Server akzeptiert dieses Gerät nicht mehr.",
        fr: "Le serveur n’accepte plus cet appareil.",
        it: "Il server non accetta più questo dispositivo.")

    static let scanAgain = SDKText(
        "Start again on the other screen.",
        de: "Beginnen Sie auf dem anderen Bildschirm noch einmal.",
        fr: "Recommencez sur l’autre écran.",
        it: "Ricominci sull’altro schermo.")

    static let chooseAnotherName = SDKText(
        "Choose another name.",
        de: "Wählen Sie einen anderen Namen.",
        fr: "Choisissez un autre nom.",
        it: "Scelga un altro nome.")

    static let authenticatorOnlyAtServer = SDKText(
        "The server has a sign-in method of this device that is gone here; it will be removed there.",
        de: "Der Server hat eine Anmeldemethode dieses Geräts, die es hier nicht mehr gibt; sie wird dort entfernt.",
        fr: "Le serveur a une méthode de connexion qui n’existe plus ici; elle y sera supprimée.",
        it: "Il server ha un metodo di accesso che qui non esiste più; lì sarà eliminato.")

    static let authenticatorOnlyHere = SDKText(
        "The server does not know a sign-in method of this device; it will be removed here.",
        de: "Der Server kennt eine Anmeldemethode dieses Geräts nicht; sie wird hier entfernt.",
        fr: "Le serveur ne connaît pas une méthode de connexion de cet appareil; elle sera supprimée ici.",
        it: "Il server non conosce un metodo di accesso di questo dispositivo; qui sarà eliminato.")

    static let recordOnlyAtServer = SDKText(
        "The server has an entry of this device that is not known here; it will be removed there.",
        de: "Der Server hat einen Eintrag dieses Geräts, der hier unbekannt ist; er wird dort entfernt.",
        fr: "Le serveur a une entrée de cet appareil inconnue ici; elle y sera supprimée.",
        it: "Il server ha una voce di questo dispositivo sconosciuta qui; lì sarà eliminata.")

    static let recordOnlyHere = SDKText(
        "The server has lost its entry of this device; it will be forgotten here.",
        de: "Der Server hat seinen Eintrag dieses Geräts verloren; er wird hier vergessen.",
        fr: "Le serveur a perdu son entrée de cet appareil; elle sera oubliée ici.",
        it: "Il server ha perso la sua voce di questo dispositivo; qui sarà dimenticata.")

    static let namesDiffer = SDKText(
        "The server has another name for this device; it will get the name used here.",
        de: "Der Server hat einen anderen Namen für dieses Gerät; er erhält den hiesigen.",
        fr: "Le serveur a un autre nom pour cet appareil; il recevra celui d’ici.",
        it: "Il server ha un altro nome per questo dispositivo; riceverà quello usato qui.")

    static let pushTokensDiffer = SDKText(
        "The server cannot reach this device by push message as it should; it will be told how.",
        de: "Der Server erreicht dieses Gerät nicht wie vorgesehen mit Push-Nachrichten; es wird ihm mitgeteilt.",
        fr: "Le serveur ne peut pas joindre cet appareil par notification comme prévu; il sera informé.",
        it: "Il server non può raggiungere questo dispositivo con notifiche come previsto; sarà informato.")

    static func linkingDigits(_ count: Int) -> SDKText {
        SDKText(
            "Enter the \(count) digits that the other screen shows.",
            de: "Geben Sie die \(count) Ziffern ein, die der andere Bildschirm zeigt.",
            fr: "Saisissez les \(count) chiffres affichés sur l’autre écran.",
            it: "Inserisca le \(count) cifre mostrate sull’altro schermo.")
    }
}
