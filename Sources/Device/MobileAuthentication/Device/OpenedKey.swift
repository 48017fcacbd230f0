import Authenticators
import UAF

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
        guard let secret = new.typed(for: key.credential.aaid) else { return false }
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
        guard let secret = new.typed(for: key.credential.aaid) else {
            throw .wrongUse(InvalidParameterError("newSecret"))
        }
        do throws(AuthenticatorError) {
            try await SecretReplacement(ports).perform(key, new: secret)
        } catch {
            throw CeremonyFailure(error)
        }
    }
}

extension SecretBytes {
    /// The bytes as the secret that an authenticator takes; nil for bytes that cannot be one.
    func typed(for aaid: AAID) -> UserSecret? {
        switch AuthenticatorAaid(rawValue: aaid.text)?.secretKind {
        case .pin:
            guard let pin = PIN(duplicate()) else { return nil }
            return UserSecret(pin)
        case .password:
            guard let password = Password(duplicate()) else { return nil }
            return UserSecret(password)
        case nil: return nil
        }
    }

    /// Whether the bytes can be a password.
    var isPassword: Bool {
        guard Password(duplicate()) != nil else { return false }
        return true
    }
}
