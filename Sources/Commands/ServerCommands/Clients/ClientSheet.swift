import BackendAPI
import CommandSupport
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON

/// Particulars that a web site has to be told about its client, without anything secret.
struct ClientSheet {
    let client: RegisteredClient
    let issuer: String
    /// File of a secret that was just written.
    let secretFile: String?

    private var discovery: String { issuer + Endpoint.openIDConfiguration.path }
    private var scopes: [String] { ClientDescription.scopes(client).map(\.rawValue) }

    /// Methods of the token endpoint that the client may use (OpenID Connect Core 1.0, 9).
    private var methods: [String] {
        switch client.authentication {
        case .secret: ["client_secret_basic", "client_secret_post"]
        case .privateKey: ["private_key_jwt"]
        case .none: ["none"]
        }
    }

    private var isPKCERequired: Bool {
        client.requiresPKCE || client.authentication == RegisteredClient.Authentication.none
    }

    // MARK: - Output

    var text: TerminalText {
        var lines: [(String, String)] = [("issuer", issuer), ("discovery", discovery), ("client id", client.id.text)]
        if let secretFile { lines.append(("client secret", "in the file \(secretFile)")) }
        lines.append(("token endpoint auth method", methods.joined(separator: " or ")))
        lines += client.redirects.map { ("redirect address", $0.text) }
        lines += client.logoutRedirects.map { ("address after logout", $0.text) }
        lines += [
            ("scopes", scopes.joined(separator: " ")), ("ID token algorithm", client.idTokenAlgorithm.rawValue),
            ("PKCE", isPKCERequired ? "required, with S256" : "S256; without PKCE send a nonce"),
        ]
        let width = lines.map(\.0.count).max() ?? 0
        return TerminalText(
            lines: lines.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))  \(value)"
            })
    }

    var json: JSONValue {
        .object([
            "issuer": .string(issuer), "discovery": .string(discovery), "clientId": .string(client.id.text),
            "secretFile": secretFile.map { .string($0) }, "tokenEndpointAuthMethods": Self.texts(methods),
            "redirectAddresses": Self.texts(client.redirects.map(\.text)),
            "logoutRedirectAddresses": Self.texts(client.logoutRedirects.map(\.text)),
            "scopes": Self.texts(scopes), "idTokenAlgorithm": .string(client.idTokenAlgorithm.rawValue),
            "pkce": .string(isPKCERequired ? "required" : "or-nonce"),
        ])
    }

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
