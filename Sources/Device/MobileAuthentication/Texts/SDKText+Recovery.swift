// What can be done about an error.
extension SDKText {
    static let registerAgain = SDKText(
        "Delete this sign-in method on the device and register it again.",
        de: "Löschen Sie diese Anmeldemethode auf dem Gerät und registrieren Sie sie neu.",
        fr: "Supprimez cette méthode de connexion sur l’appareil et enregistrez-la à nouveau.",
        it: "Elimini questo metodo di accesso sul dispositivo e lo registri di nuovo.")

    static let setUpOnDevice = SDKText(
        "Set it up in the settings of the device.",
        de: "Richten Sie sie in den Einstellungen des Geräts ein.",
        fr: "Configurez-la dans les réglages de l’appareil.",
        it: "Lo configuri nelle impostazioni del dispositivo.")

    static let setDeviceLock = SDKText(
        "Set a screen lock in the settings of the device.",
        de: "Richten Sie in den Einstellungen des Geräts eine Bildschirmsperre ein.",
        fr: "Configurez un verrouillage d’écran dans les réglages de l’appareil.",
        it: "Imposti un blocco schermo nelle impostazioni del dispositivo.")

    static let setClock = SDKText(
        "Correct date and time of the device.",
        de: "Stellen Sie Datum und Uhrzeit des Geräts richtig.",
        fr: "Corrigez la date et l’heure de l’appareil.",
        it: "Corregga data e ora del dispositivo.")

    static let tryAgain = SDKText(
        "Try again.",
        de: "Versuchen Sie es noch einmal.",
        fr: "Réessayez.",
        it: "Riprovi.")
}
