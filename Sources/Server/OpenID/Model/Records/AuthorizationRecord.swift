import Octets
import ServerCore
import StrictJSON

/// Parameters of an authorization request as JSON, for the rows of pushed requests and authorization sessions.
package struct AuthorizationRecord: Sendable {
    private static let limits = JSONLimits(byteCount: 64 * 1024, depth: 3)

    package let parameters: AuthorizationParameters

    package init(_ parameters: AuthorizationParameters) { self.parameters = parameters }

    package var text: String {
        JSONWriter.text(
            .object([
                "client": .string(parameters.client.text),
                "redirect": .string(parameters.redirect.text),
                "codeChallenge": parameters.codeChallenge.map { .string(Base64URL.encode($0)) },
                "key": parameters.key.map { .string(Base64URL.encode($0.octets)) },
                "responseMode": .string(parameters.responseMode.rawValue),
                "scopes": .string(ScopeName.text(parameters.scopes)),
                "state": parameters.state.map { .string($0) },
                "nonce": parameters.nonce.map { .string($0) },
                "prompts": .array(parameters.prompts.map(\.rawValue).sorted().map { .string($0) }),
                "maximumAge": parameters.maximumAge.map { .integer($0.components.seconds) },
                "loginHint": parameters.loginHint.map { .string($0) },
                "hintedSubject": parameters.hintedSubject.map { .string($0) },
                "assurance": .array(parameters.assurance.map { .string($0.rawValue) }),
                "text": parameters.text.map { .string($0) },
                "language": parameters.language.map { .string($0) },
            ]))
    }
}

extension AuthorizationRecord {
    package init?(stored text: String) {
        guard let members = try? JSONParser.parse(Array(text.utf8), limits: Self.limits).asObject(),
            let client = Self.text("client", in: members).flatMap(ClientID.init),
            let redirect = Self.text("redirect", in: members).flatMap(RedirectAddress.init),
            let scopes = Self.text("scopes", in: members).flatMap(ScopeName.set(stored:)),
            let prompts = Self.list("prompts", in: members, AuthorizationParameters.Prompt.init(rawValue:)),
            let assurance = Self.list("assurance", in: members, Assurance.init(rawValue:))
        else { return nil }
        var challenge: [UInt8]?
        if let text = Self.text("codeChallenge", in: members) {
            guard let octets = try? Base64URL.decode(text) else { return nil }
            challenge = octets
        }
        var parameters = AuthorizationParameters(client: client, redirect: redirect, codeChallenge: challenge)
        if let text = Self.text("key", in: members) {
            guard let key = (try? Base64URL.decode(text)).flatMap({ ClientKeyThumbprint(stored: $0) }) else {
                return nil
            }
            parameters.key = key
        }
        if let text = Self.text("responseMode", in: members) {
            guard let mode = AuthorizationParameters.ResponseMode(rawValue: text) else { return nil }
            parameters.responseMode = mode
        }
        parameters.scopes = scopes
        parameters.state = Self.text("state", in: members)
        parameters.nonce = Self.text("nonce", in: members)
        parameters.prompts = Set(prompts)
        parameters.maximumAge = (try? members["maximumAge"]?.asInt64()).map { .seconds($0) }
        parameters.loginHint = Self.text("loginHint", in: members)
        parameters.hintedSubject = Self.text("hintedSubject", in: members)
        parameters.assurance = assurance
        parameters.text = Self.text("text", in: members)
        parameters.language = Self.text("language", in: members)
        self.parameters = parameters
    }

    private static func text(_ name: String, in members: JSONObject) -> String? {
        guard case .string(let text) = members[name] else { return nil }
        return text
    }

    private static func list<Value>(
        _ name: String, in members: JSONObject, _ make: (String) -> Value?
    ) -> [Value]? {
        guard case .array(let values) = members[name] else { return nil }
        let made = values.compactMap { value in (try? value.asString()).flatMap(make) }
        return made.count == values.count ? made : nil
    }
}
