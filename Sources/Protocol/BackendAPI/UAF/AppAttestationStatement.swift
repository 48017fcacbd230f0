import Octets
import StrictJSON

/// Statement of a manufacturer about the application that responds, sent beside a UAF response.
///
/// What Apple's service and keys state is about the SHA-256 of the UAF response as it is sent (``SendUAFResponse``, UTF-8), so
/// that a statement serves one response. Members, limits and errors: `docs/web/http-api.md`.
public enum AppAttestationStatement: Sendable, Hashable {
    /// Attestation of a new key of App Attest: the identifier of the key, and the object that Apple has made.
    case newAppleKey(id: [UInt8], attestation: [UInt8])
    /// Assertion by a key of App Attest that the server has seen attested.
    case appleKey(id: [UInt8], assertion: [UInt8])
    /// Certificates (DER) of the key that is registered, made by Android's key store, the key's first; only for a
    /// registration.
    case androidKey(certificates: [[UInt8]])

    /// Size of the identifier of a key of App Attest, in bytes.
    public static let keyIDByteCount = 32
    /// Largest attestation of a key of App Attest, in bytes.
    public static let attestationByteLimit = 16 * 1024
    /// Largest assertion of a key of App Attest, in bytes.
    public static let assertionByteLimit = 1024
    /// Largest number of certificates of Android's key store.
    public static let certificateLimit = 8
    /// Largest certificate of Android's key store, in bytes.
    public static let certificateByteLimit = 4 * 1024
}

extension AppAttestationStatement: StrictlyCoded {
    /// Kinds of statements, as the member `kind` names them.
    private enum Kind: String {
        case appAttest = "app-attest"
        case androidKey = "android-key"
    }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        guard let kind = Kind(rawValue: try members.string("kind")) else {
            throw JSONTypeError(path: ["kind"], .invalidForm)
        }
        switch kind {
        case .appAttest: self = try Self.apple(members)
        case .androidKey: self = .androidKey(certificates: try members.required("certificates", Self.certificates))
        }
    }

    var json: JSONValue {
        switch self {
        case .newAppleKey(let id, let attestation): Self.json(.appAttest, id, ("attestation", attestation))
        case .appleKey(let id, let assertion): Self.json(.appAttest, id, ("assertion", assertion))
        case .androidKey(let certificates):
            .object([
                "kind": .string(Kind.androidKey.rawValue),
                "certificates": .array(certificates.map { .string(Base64URL.encode($0)) }),
            ])
        }
    }

    // MARK: - Parts

    private static func apple(_ members: JSONObject) throws(JSONTypeError) -> AppAttestationStatement {
        let id = try members.required("keyId") { value throws(JSONTypeError) in
            try octets(value, keyIDByteCount...keyIDByteCount)
        }
        let assertion = try members.optional("assertion") { value throws(JSONTypeError) in
            try octets(value, 1...assertionByteLimit)
        }
        guard let assertion else {
            let attestation = try members.required("attestation") { value throws(JSONTypeError) in
                try octets(value, 1...attestationByteLimit)
            }
            return .newAppleKey(id: id, attestation: attestation)
        }
        guard members["attestation"] == nil else { throw JSONTypeError(path: ["attestation"], .invalidForm) }
        return .appleKey(id: id, assertion: assertion)
    }

    private static func certificates(_ value: JSONValue) throws(JSONTypeError) -> [[UInt8]] {
        guard (1...certificateLimit).contains(try value.asArray().count) else { throw JSONTypeError(.outOfRange) }
        return try value.asArray { element throws(JSONTypeError) in try octets(element, 1...certificateByteLimit) }
    }

    private static func octets(_ value: JSONValue, _ sizes: ClosedRange<Int>) throws(JSONTypeError) -> [UInt8] {
        let text = try value.asString()
        do throws(Base64Error) {
            let octets = try Base64URL.decode(text)
            if sizes.contains(octets.count) { return octets }
        } catch {
            throw JSONTypeError(.invalidForm)
        }
        throw JSONTypeError(.outOfRange)
    }

    private static func json(_ kind: Kind, _ id: [UInt8], _ part: (name: String, octets: [UInt8])) -> JSONValue {
        .object([
            "kind": .string(kind.rawValue), "keyId": .string(Base64URL.encode(id)),
            part.name: .string(Base64URL.encode(part.octets)),
        ])
    }
}
