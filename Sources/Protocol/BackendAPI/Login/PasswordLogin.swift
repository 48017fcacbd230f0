package import Octets
import StrictJSON
package import UAF

/// Form body of the password login.
///
/// Members, limits and errors: `docs/web/http-api.md`.
package struct PasswordLogin: ~Copyable {
    package let userID: UserName
    /// The password as UTF-8, in memory that is wiped.
    package let password: SecretOctets

    package init(userID: UserName, password: consuming SecretOctets) {
        self.userID = userID
        self.password = password
    }

    /// Reads a form; fields of other names are ignored.
    ///
    /// Throws ``BackendAPIError/malformedForm`` when a field is missing or repeated, or the name is not 1 to 128
    /// characters of UTF-8 without NUL. The caller still owns `form` and wipes it.
    package init(form: [UInt8]) throws(BackendAPIError) {
        var userID: [UInt8]?
        var password: SecretOctets?
        for field in form.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .malformedForm }
            let name = try FormCoding.decode(parts[0])
            if name.elementsEqual(Self.userIDField.utf8) {
                guard userID == nil else { throw .malformedForm }
                userID = try FormCoding.decode(parts[1])
            } else if name.elementsEqual(Self.passwordField.utf8) {
                guard password == nil else { throw .malformedForm }
                var plain = try FormCoding.decode(parts[1])
                password = SecretOctets(copying: plain)
                SecretOctets.wipe(&plain)
            }
        }
        guard let userID, let text = String(validUTF8: userID), !userID.contains(0),
            let name = UserName(text), let secret = password.take()
        else { throw .malformedForm }
        self.init(userID: name, password: secret)
    }

    /// The form to send; it holds the password, so the caller wipes it.
    package borrowing func form() -> [UInt8] {
        var form = Array("\(Self.userIDField)=".utf8)
        form.reserveCapacity(form.count + 3 * (userID.text.utf8.count + password.count) + 16)
        FormCoding.encode(userID.text.utf8, into: &form)
        form.append(contentsOf: "&\(Self.passwordField)=".utf8)
        password.withUnsafeBytes { FormCoding.encode($0, into: &form) }
        return form
    }

    private static let userIDField = "isiwebuserid"
    private static let passwordField = "isiwebpasswd"
}

/// Response of the password login; the session is sent beside it in `Set-Cookie`.
public struct PasswordLoginAnswer: MessageBody {
    /// Result of the login.
    public let status: String
    /// The external identifier of the user, who registers under this name; nil unless the login succeeded.
    public let externalID: String?

    /// The status of a login that succeeded.
    public static let succeeded = "SUCCEEDED"

    /// An answer.
    public init(status: String, externalID: String?) {
        self.status = status
        self.externalID = externalID
    }
}

extension PasswordLoginAnswer: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(status: try members.string("status"), externalID: try members.optionalString("extId"))
    }

    var json: JSONValue {
        .object(["status": .string(status), "extId": externalID.map(JSONValue.string)])
    }
}
