import ServerCore

/// Columns of `attested_credentials`.
enum AttestedCredentialRow {
    /// Names of the platforms, as stored.
    private enum Platform: String {
        case apple, android
    }

    static let selection = "SELECT platform, app_key_id FROM attested_credentials WHERE registration_id = $1"

    /// Says which application holds a credential, whatever was said before.
    static let setting = """
        INSERT INTO attested_credentials (registration_id, platform, app_key_id) VALUES ($1, $2, $3)
        ON CONFLICT (registration_id) DO UPDATE SET platform = $2, app_key_id = $3
        """

    static func attestation(_ row: SQLRow) throws(ServerPersistenceError) -> CredentialAttestation {
        var reader = RowReader(row, table: "attested_credentials")
        switch try reader.text("platform", as: { Platform(rawValue: $0) }) {
        case .apple: return .appleKey(try reader.blob("app_key_id") { AppAttestKeyID(stored: $0) })
        case .android: return .androidKey
        }
    }

    static func arguments(_ attestation: CredentialAttestation, of credential: RegistrationID) -> [SQLValue] {
        let credential = SQLValue.blob(credential.octets)
        return switch attestation {
        case .appleKey(let id): [credential, .text(Platform.apple.rawValue), .blob(id.octets)]
        case .androidKey: [credential, .text(Platform.android.rawValue), .null]
        }
    }
}
