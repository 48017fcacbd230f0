import ArgumentParser
import CommandSupport
import StrictJSON

struct DeviceInteractive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interactive", abstract: "Use the phone interactively at the terminal.",
        discussion: """
            It asks for everything, and does not show secrets. Ctrl-C cancels an operation, and quit leaves. No other \
            command can use the phone meanwhile.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        try await phone.report {
            guard let terminal = Terminal() else {
                throw CommandFailure.local("NoTerminal", "this command needs a terminal")
            }
            try await Phone.use(phone.folder, network, PhoneVerification(passcode, at: terminal)) { phone in
                await PhoneConsole(phone: phone, terminal: terminal).run()
            }
            return CommandReport.Outcome(text: "", result: JSONObject([:]))
        }
    }
}
