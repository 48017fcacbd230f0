import BackendTransport
import Octets
import StrictJSON
import Synchronization

/// Collects the secrets of a run, and of messages everything in them that is one.
final class SecretHarvest: Sendable {
    private let found = Mutex<Set<HarvestedSecret>>([])

    /// Everything so far.
    var secrets: Set<HarvestedSecret> { found.withLock { $0 } }

    /// Secrets of a kind.
    func secrets(_ kind: HarvestedSecret.Kind) -> Set<HarvestedSecret> { secrets.filter { $0.kind == kind } }

    func add(_ secret: HarvestedSecret) {
        _ = found.withLock { $0.insert(secret) }
    }

    func add(_ kind: HarvestedSecret.Kind, _ text: String?) {
        guard let text, text.utf8.count >= SecretSearch.windowByteCount else { return }
        add(HarvestedSecret(kind, text))
    }

    // MARK: - Messages

    /// Takes the secrets of a message on its way.
    func note(_ headers: HeaderFields, _ body: [UInt8]) {
        for field in headers.values(of: "authorization") {
            add(.bearer, field.split(separator: " ").last.map(String.init))
        }
        for field in headers.values(of: "device-signature") { add(.deviceSignature, field) }
        for field in headers.values(of: "cookie") { field.split(separator: ";").forEach(noteCookie) }
        for field in headers.values(of: "set-cookie") { noteCookie(field.split(separator: ";")[0]) }
        let text = String(decoding: body, as: UTF8.self)
        if HarvestedSecret.isCompact(text) { noteCompact(text) }
        if let json = try? JSONParser.parse(body) { note(json, named: "") }
    }

    /// Takes the secrets of a document; documents inside of texts are part of it.
    func note(_ value: JSONValue, named name: String) {
        switch value {
        case .object(let object): for member in object.members { note(member.value, named: member.name) }
        case .array(let elements): for element in elements { note(element, named: name) }
        case .string(let text): note(text, named: name)
        case .number, .bool, .null: break
        }
    }

    private func note(_ text: String, named name: String) {
        switch name {
        case "token": add(.redeemToken, text)
        case "value": add(.bearer, text)
        case "digits": add(.digits, text)
        case "target" where text != "user-disabled": add(.pushToken, text)
        default: if HarvestedSecret.isCompact(text) { noteCompact(text) }
        }
        let inner = (try? Base64URL.decode(text, strictness: .lenient)) ?? Array(text.utf8)
        for octets in [inner, Array(text.utf8)] where octets.first.map("{[".utf8.contains) == true {
            if let json = try? JSONParser.parse(octets) { note(json, named: "") }
        }
    }

    private func noteCompact(_ text: String) {
        let isSealed = text.split(separator: ".", omittingEmptySubsequences: false).count == 5
        add(isSealed ? .sealedPayload : .deviceSignature, text)
    }

    private func noteCookie(_ pair: Substring) {
        let value = pair.split(separator: "=", maxSplits: 1).dropFirst().first
        add(.cookie, value.map(String.init))
    }
}

/// Carries requests through another transport and harvests both directions, before anything is masked.
struct HarvestingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let harvest: SecretHarvest

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        harvest.note(request.headers, request.body)
        let response = try await transport.response(to: request)
        harvest.note(response.headers, response.body)
        return response
    }
}

extension SecretHarvest {
    /// Takes the registration token out of what a phone remembers of its push service.
    func notePushToken(_ document: [UInt8]) {
        guard let members = try? JSONParser.parse(document).asObject() else { return }
        add(.pushToken, try? members.string("token"))
    }
}
