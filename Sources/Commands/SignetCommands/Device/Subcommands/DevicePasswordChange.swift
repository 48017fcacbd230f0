import ArgumentParser
import MobileAuthentication

/// `signet device password change`: replaces the password of the password authenticator.
struct DevicePasswordChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Replaces the password of a user's authenticator; the server takes no part.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var change: ChangeOptions

    func run() async throws { try await phone.report { try await change.perform(.password, on: phone.folder) } }
}
