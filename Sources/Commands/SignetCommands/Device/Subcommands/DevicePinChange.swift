import ArgumentParser
import MobileAuthentication

/// `signet device pin change`: replaces the PIN.
struct DevicePinChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Replaces the PIN of a user; the server takes no part.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var change: ChangeOptions

    func run() async throws { try await phone.report { try await change.perform(.pin, on: phone.folder) } }
}
