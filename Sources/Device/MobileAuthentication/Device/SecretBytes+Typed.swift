import Authenticators
import UAF

extension SecretBytes {
    /// The bytes as the secret that an authenticator takes; nil for what can be no such secret at all.
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
