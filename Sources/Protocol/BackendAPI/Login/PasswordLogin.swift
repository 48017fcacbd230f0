package import Octets
package import UAF

/// The form of the password login (`backend-http-api` 7.1).
package struct PasswordLogin: ~Copyable {
    /// The name the user logs in with.
    package let userID: UserName
    /// The password as UTF-8, in memory that is wiped.
    package let password: SecretOctets

    /// A login to be sent.
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
        guard let userID, let text = String(validating: userID, as: UTF8.self), !userID.contains(0),
            let name = UserName(text), let secret = password.take()
        else { throw .malformedForm }
        self.init(userID: name, password: secret)
    }

    /// The form to send; it holds the password, so whoever takes it wipes it.
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
