import ArgumentParser

/// Options for the device passcode, which on Linux is the password of the account, checked by PAM.
struct PasscodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file that holds the password of this account, for the passcode of the device; without it the terminal asks.",
            valueName: "FILE"))
    var passcodeFile: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the PAM service named signet, when it is not one of the system's.", valueName: "DIR"))
    var pamFolder: String?
}
