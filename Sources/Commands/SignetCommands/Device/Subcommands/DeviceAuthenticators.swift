import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// `signet device authenticators`: what the phone can verify its user by.
struct DeviceAuthenticators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticators",
        abstract: "Shows every authenticator of this phone: what supports it, what is enrolled, whose keys it holds.",
        discussion: "A key that is gone for good, such as one of fingers that have changed, is shown as unusable.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, nil, PhoneVerification(passcode)) { phone in
                let authenticators = phone.device.authenticators
                let notes = phone.verification.complaints
                return CommandReport.Outcome(
                    text: ([AuthenticatorTable(authenticators).text] + notes).joined(separator: "\n"),
                    result: JSONObject([
                        "authenticators": .array(authenticators.map { .object($0.json) }),
                        "notes": .array(notes.map(JSONValue.string)),
                    ]))
            }
        }
    }
}
