import BackendAPI
import CommandSupport
import StrictJSON

/// Particulars that a web site has to be told about its client, without anything secret.
struct ClientSheet {
    /// The answer about a new client.
    let client: JSONObject
    /// File of a secret that was just written.
    let secretFile: String?

    private var issuer: String { text("issuer") }
    private var discovery: String { issuer + Endpoint.openIDConfiguration.path }

    private func text(_ name: String) -> String { ForeignText.name(client.text(name) ?? "-") }

    private func texts(_ name: String) -> [String] {
        guard case .array(let values)? = client[name] else { return [] }
        return values.compactMap { if case .string(let text) = $0 { ForeignText.name(text) } else { nil } }
    }

    /// Methods of the token endpoint that the client may use (OpenID Connect Core 1.0, 9).
    private var methods: [String] {
        switch text("proof") {
        case "secret": ["client_secret_basic", "client_secret_post"]
        case "none": ["none"]
        default: ["private_key_jwt"]
        }
    }

    private var isPKCERequired: Bool { client["requirePKCE"] == .bool(true) || text("proof") == "none" }

    // MARK: - Output

    var text: TerminalText {
        var lines: [(String, String)] = [("issuer", issuer), ("discovery", discovery), ("client id", text("id"))]
        if let secretFile { lines.append(("client secret", "in the file \(secretFile)")) }
        lines.append(("token endpoint auth method", methods.joined(separator: " or ")))
        lines += texts("redirectAddresses").map { ("redirect address", $0) }
        lines += texts("logoutRedirectAddresses").map { ("address after logout", $0) }
        lines += [
            ("scopes", texts("scopes").joined(separator: " ")), ("ID token algorithm", text("idTokenAlgorithm")),
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
            "issuer": .string(issuer), "discovery": .string(discovery), "clientId": client["id"],
            "secretFile": secretFile.map { .string($0) },
            "tokenEndpointAuthMethods": .array(methods.map { .string($0) }),
            "redirectAddresses": client["redirectAddresses"],
            "logoutRedirectAddresses": client["logoutRedirectAddresses"], "scopes": client["scopes"],
            "idTokenAlgorithm": client["idTokenAlgorithm"],
            "pkce": .string(isPKCERequired ? "required" : "or-nonce"),
        ])
    }
}
