import Octets

/// An HTTP proxy between server and push service; TLS runs through it from end to end.
package struct PushProxy: Sendable, Hashable {
    /// Credentials of the server at the proxy.
    package struct Login: Sendable, Hashable {
        /// The name; without a colon.
        package let user: String
        private let password: Sensitive<String>

        package init(user: String, password: String) {
            self.user = user
            self.password = Sensitive(password)
        }

        /// Lends the password to the one call that needs it.
        package func withPassword<Value>(_ body: (String) throws -> Value) rethrows -> Value {
            try body(password.reveal())
        }

        package static func == (one: Login, other: Login) -> Bool {
            let (mine, theirs) = (Array(one.password.reveal().utf8), Array(other.password.reveal().utf8))
            return one.user.hasSameOctets(as: other.user)
                && (try? ConstantTimeEquality.require(mine, equals: theirs)) != nil
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(Array(user.utf8)) }
    }

    /// A host name or an address without brackets.
    package var host: String
    package var port: Int
    package var login: Login?

    package init(host: String, port: Int, login: Login? = nil) {
        self.host = host
        self.port = port
        self.login = login
    }
}
