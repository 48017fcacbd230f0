import ArgumentParser
package import BackendTransport
package import Foundation

/// Sign-in of a phone whose messages pass through a carrier, such as one of an attacker.
package enum CarriedSignIn {
    /// Authenticates a user with the PIN in a file; `record` receives the recorded HTTP exchanges.
    ///
    /// Throws ``CommandFailure`` when the phone is refused.
    package static func perform(
        phoneIn folder: URL, of user: String, pinFile: URL, record: URL,
        carrier: (any HTTPTransport) -> any HTTPTransport
    ) async throws {
        var network = try NetworkOptions.parse([])
        network.record = record.path()
        let owner = await PhoneUser(secretFile: pinFile.path())
        _ = try await Phone.use(PhoneFolder(path: folder.path()), network, carrier: carrier) { phone in
            try await owner.explaining { try await phone.authenticate(user, as: owner) }
        }
    }
}
