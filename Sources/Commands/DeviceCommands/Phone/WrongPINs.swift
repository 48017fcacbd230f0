import CommandSupport
package import Foundation
import MobileAuthenticationTestKit

/// Wrong PIN entries on a phone of a demonstration or a test, until the key is locked.
///
/// The cool-down periods between them (60 s and 180 s) pass on a clock that is advanced; everything else is the phone's
/// own behaviour.
package enum WrongPINs {
    /// Upper bound of the attempts, above what any phone allows.
    private static let limit = 10

    /// Enters `wrongPINFile` until the user's key is locked; returns the number of attempts.
    ///
    /// Throws ``CommandFailure`` when the phone is not locked in the end.
    package static func lock(
        phoneIn folder: URL, of user: String, wrongPINFile: URL
    ) async throws -> Int {
        let clock = VirtualClock()
        for count in 1...limit {
            do {
                try await enter(wrongPINFile, folder, user, clock)
            } catch let failure as CommandFailure where failure.fidoErrorCode == lockout {
                return count
            } catch let failure as CommandFailure where failure.code == "WrongPin" || failure.code == "PinCoolDown" {
                clock.advance(by: .seconds(180))
            }
        }
        throw CommandFailure.local("NotLocked", "the phone is not locked after \(limit) wrong PINs")
    }

    private static let lockout = 0x10

    private static func enter(_ file: URL, _ folder: URL, _ user: String, _ clock: VirtualClock) async throws {
        let person = await PhoneUser(secretFile: file.path())
        let verification = PhoneVerification(nil, coolDownClock: clock)
        _ = try await Phone.use(PhoneFolder(path: folder.path()), nil, verification) { phone in
            try await person.explaining { try await phone.authenticate(user, as: person) }
        }
    }
}
