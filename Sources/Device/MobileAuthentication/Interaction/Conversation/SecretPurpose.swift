/// What a new secret is for; a policy may ask for different things.
enum SecretPurpose: Sendable {
    case enrollment
    case change
}
