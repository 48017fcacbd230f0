// What keys in hardware need.
extension SDKText {
    static let noHardware = SDKText(
        "There is no secure hardware that this app may use for its keys.",
        de: "Es gibt keine sichere Hardware, die diese App für ihre Schlüssel nutzen darf.",
        fr: "Aucun matériel sécurisé n’est utilisable par cette app pour ses clés.",
        it: "Non c’è hardware sicuro che questa app possa usare per le sue chiavi.")

    /// The two ways out, for developers and administrators.
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
