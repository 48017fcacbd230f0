// Recovery suggestions for errors.
extension SDKText {
    static let registerAgain = SDKText(
        "Remove this sign-in method from your account on this device, then register it again. You may need an "
            + "invitation from your provider.",
        de: "Entfernen Sie diese Anmeldemethode auf diesem Gerät aus Ihrem Konto und registrieren Sie sie dann neu. "
            + "Vielleicht brauchen Sie dafür eine Einladung Ihres Anbieters.",
        fr: "Retirez cette méthode de connexion de votre compte sur cet appareil, puis enregistrez-la à nouveau. "
            + "Une invitation de votre fournisseur peut être nécessaire.",
        it: "Rimuova questo metodo di accesso dal Suo account su questo dispositivo, poi lo registri di nuovo. "
            + "Può essere necessario un invito del Suo fornitore.")

    static let setUpAgain = SDKText(
        "Restore the data of the app, or remove the app, install it again and register anew. You may need an invitation "
            + "from your provider.",
        de: "Stellen Sie die Daten der App wieder her, oder entfernen Sie die App, installieren Sie sie neu und "
            + "registrieren Sie sich neu. Vielleicht brauchen Sie dafür eine Einladung Ihres Anbieters.",
        fr: "Restaurez les données de l’app, ou supprimez l’app, réinstallez-la et inscrivez-vous à nouveau. Une "
            + "invitation de votre fournisseur peut être nécessaire.",
        it: "Ripristini i dati dell’app, oppure rimuova l’app, la reinstalli e si registri di nuovo. Può essere "
            + "necessario un invito del Suo fornitore.")

    static let addFromRegisteredDevice = SDKText(
        "Allow it by signing in with a sign-in method or device that is registered already, or ask your provider for "
            + "an invitation.",
        de: "Erlauben Sie es durch eine Anmeldung mit einer bereits registrierten Methode oder einem bereits "
            + "registrierten Gerät, oder bitten Sie Ihren Anbieter um eine Einladung.",
        fr: "Autorisez-le en vous connectant avec une méthode ou un appareil déjà enregistré, ou demandez une "
            + "invitation à votre fournisseur.",
        it: "Lo consenta accedendo con un metodo o un dispositivo già registrato, oppure chieda un invito al Suo "
            + "fornitore.")

    static let registerHere = SDKText(
        "Register on this device first.",
        de: "Registrieren Sie sich zuerst auf diesem Gerät.",
        fr: "Enregistrez-vous d’abord sur cet appareil.",
        it: "Si registri prima su questo dispositivo.")

    static let askProvider = SDKText(
        "Ask your provider for help.",
        de: "Bitten Sie Ihren Anbieter um Hilfe.",
        fr: "Demandez de l’aide à votre fournisseur.",
        it: "Chieda aiuto al Suo fornitore.")

    static let waitAndTryAgain = SDKText(
        "Wait a moment, then try again.",
        de: "Warten Sie einen Moment und versuchen Sie es dann noch einmal.",
        fr: "Attendez un moment, puis réessayez.",
        it: "Attenda un momento, poi riprovi.")

    static let updateOrAskProvider = SDKText(
        "Update the app; if that does not help, ask your provider.",
        de: "Aktualisieren Sie die App; wenn das nicht hilft, fragen Sie Ihren Anbieter.",
        fr: "Mettez l’app à jour; si cela ne suffit pas, adressez-vous à votre fournisseur.",
        it: "Aggiorni l’app; se non basta, si rivolga al Suo fornitore.")

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

// Texts about keys in hardware.
extension SDKText {
    static let noHardware = SDKText(
        "There is no secure hardware that this app may use for its keys.",
        de: "Es gibt keine sichere Hardware, die diese App für ihre Schlüssel nutzen darf.",
        fr: "Aucun matériel sécurisé n’est utilisable par cette app pour ses clés.",
        it: "Non c’è hardware sicuro che questa app possa usare per le sue chiavi.")

    static let hardwareWaysOut = SDKText(
        """
        Give the app the hardware (on Linux: switch on the TPM in the firmware and add the account to the group tss), or \
        let it keep its keys in software with keyVault(.preferHardware) or keyVault(.software).
        """,
        de: """
            Geben Sie der App die Hardware (unter Linux: das TPM in der Firmware einschalten, das Konto in die Gruppe tss \
            aufnehmen), oder lassen Sie sie ihre Schlüssel mit keyVault(.preferHardware) oder keyVault(.software) in \
            Software halten.
            """,
        fr: """
            Donnez le matériel à l’app (sous Linux : activez le TPM dans le micrologiciel et ajoutez le compte au groupe \
            tss), ou laissez-la garder ses clés dans un logiciel avec keyVault(.preferHardware) ou keyVault(.software).
            """,
        it: """
            Dia l’hardware all’app (su Linux: attivi il TPM nel firmware e aggiunga l’account al gruppo tss), oppure le \
            lasci tenere le chiavi nel software con keyVault(.preferHardware) o keyVault(.software).
            """)
}
