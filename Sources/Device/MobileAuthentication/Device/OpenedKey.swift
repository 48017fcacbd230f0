import Authenticators
import UAF
import UAFClient

/// A key whose secret was entered just now.
struct OpenedKey: OpenedSecret {
    private let key: UnlockedKey
    private let ports: AuthenticatorPorts

    init(key: UnlockedKey, _ ports: AuthenticatorPorts) {
        self.key = key
        self.ports = ports
    }

    func isSame(as new: SecretBytes) async throws(CeremonyFailure) -> Bool {
        // Input that cannot be such a secret is not the old one; its form is judged later.
        guard let secret = new.withUnsafeBytes({ UserSecret(copying: $0, for: key.credential.aaid) }) else {
            return false
        }
        do throws(AuthenticatorError) {
            try key.requireDifferent(from: secret)
            return false
        } catch .unchangedSecret {
            return true
        } catch {
            throw CeremonyFailure(error)
        }
    }

    func replace(with new: SecretBytes) async throws(CeremonyFailure) {
        guard let secret = new.withUnsafeBytes({ UserSecret(copying: $0, for: key.credential.aaid) }) else {
            throw .wrongUse(InvalidParameterError("newSecret"))
        }
        do throws(AuthenticatorError) {
            try await SecretReplacement(ports).perform(key, new: secret)
        } catch {
            throw CeremonyFailure(error)
        }
    }
}
