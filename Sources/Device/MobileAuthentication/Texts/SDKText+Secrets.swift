// Texts for users while they enter something.
extension SDKText {
    static let wrongPin = SDKText(
        "The PIN was wrong.",
        de: "Die PIN war falsch.",
        fr: "Le code PIN était incorrect.",
        it: "Il PIN era errato.")

    static let samePin = SDKText(
        "The new PIN is the old one.",
        de: "Die neue PIN ist die alte.",
        fr: "Le nouveau code PIN est identique à l’ancien.",
        it: "Il nuovo PIN è uguale a quello vecchio.")

    static let guessablePin = SDKText(
        "The PIN is too easy to guess.",
        de: "Die PIN ist zu leicht zu erraten.",
        fr: "Le code PIN est trop facile à deviner.",
        it: "Il PIN è troppo facile da indovinare.")

    static let wrongPassword = SDKText(
        "The password was wrong.",
        de: "Das Passwort war falsch.",
        fr: "Le mot de passe était incorrect.",
        it: "La password era errata.")

    static let samePassword = SDKText(
        "The new password is the old one.",
        de: "Das neue Passwort ist das alte.",
        fr: "Le nouveau mot de passe est identique à l’ancien.",
        it: "La nuova password è uguale a quella vecchia.")

    static func shortPassword(_ count: Int) -> SDKText {
        SDKText(
            "The password needs at least \(count) characters.",
            de: "Das Passwort braucht mindestens \(count) Zeichen.",
            fr: "Le mot de passe doit comporter au moins \(count) caractères.",
            it: "La password deve avere almeno \(count) caratteri.")
    }

    static let guessablePassword = SDKText(
        "The password is too easy to guess.",
        de: "Das Passwort ist zu leicht zu erraten.",
        fr: "Le mot de passe est trop facile à deviner.",
        it: "La password è troppo facile da indovinare.")

    static let unusablePassword = SDKText(
        "The password is empty, too long, or has control characters.",
        de: "Das Passwort ist leer, zu lang oder enthält Steuerzeichen.",
        fr: "Le mot de passe est vide, trop long ou contient des caractères de contrôle.",
        it: "La password è vuota, troppo lunga o contiene caratteri di controllo.")

    static let unrecognizedFinger = SDKText(
        "The finger was not recognized.",
        de: "Der Finger wurde nicht erkannt.",
        fr: "Le doigt n’a pas été reconnu.",
        it: "Il dito non è stato riconosciuto.")

    static let confirmIdentity = SDKText(
        "Confirm that it is you.",
        de: "Bestätigen Sie, dass Sie es sind.",
        fr: "Confirmez votre identité.",
        it: "Confermi la Sua identità.")

    static func pinDigits(_ count: Int) -> SDKText {
        SDKText(
            "The PIN must have \(count) digits.",
            de: "Die PIN muss \(count) Ziffern haben.",
            fr: "Le code PIN doit avoir \(count) chiffres.",
            it: "Il PIN deve avere \(count) cifre.")
    }

    static func pinDigitRange(_ least: Int, _ most: Int) -> SDKText {
        SDKText(
            "The PIN must have \(least) to \(most) digits.",
            de: "Die PIN muss \(least) bis \(most) Ziffern haben.",
            fr: "Le code PIN doit avoir de \(least) à \(most) chiffres.",
            it: "Il PIN deve avere da \(least) a \(most) cifre.")
    }
}
