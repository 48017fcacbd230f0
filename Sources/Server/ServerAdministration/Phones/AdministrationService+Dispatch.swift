import BackendAPI
import Octets
import OpenID
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Operations that an administrator sends to a phone, as a portal would, and how they go.
extension AdministrationService {
    /// Begins an operation and delivers its token; the token and what the dispatcher made of it are in this answer only.
    func dispatch(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let order = try DispatchOrder(call)
        var user: User?
        if let text = order.user { user = try await self.user(text, for: call) }
        guard user != nil || order.kind == .authentication && call.reach == nil else { throw .malformed(["user"]) }
        let request = try order.request(for: user, among: services.outOfBand.dispatchers.current.all.map(\.name))
        let settings = services.settings.outOfBand
        let expiresAt = services.ports.clock.now() + settings.tokenLifetime(order.kind)
        let answer = try await passing { () async throws(ServerError) in
            try await services.outOfBand.dispatch(
                request, for: order.kind, authorization: .administrator, client: call.act.client)
        }
        guard let token = answer.token, let id = answer.sessionID, let information = answer.dispatcherInformation else {
            throw Self.refusal(answer.result)
        }
        return AdministrationAnswer(
            [
                "operation": .string(id), "token": .string(token), "dispatcher": .string(information.name.rawValue),
                "response": .string(information.response), "code": information.codeText.map { .string($0) },
                "digits": answer.channelLinking.map { .string($0.digits) },
                "linking": .string((answer.channelLinking?.mode ?? .none).rawValue),
                "expiresAt": .string(expiresAt.iso8601), "origin": .string(settings.origin),
            ], status: 201)
    }

    private static func refusal(_ result: DispatchResult) -> AdministrationRefusal {
        switch result {
        case .userNotFound: .unknown
        case .dispatchTargetNotFound: .undispatched(result, "there is no such phone, or it is another user's")
        case .dispatchTargetExpired:
            .undispatched(result, "the phone has no push destination that the push service knows")
        case .dispatchError: .undispatched(result, "the dispatcher did not take it, or the phone lacks what it needs")
        default: .undispatched(result, "the server says \(result.rawValue)")
        }
    }

    /// The status of an operation, as a portal that has begun it learns it.
    func operation(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        guard let id = call.object.flatMap({ CeremonyID(text: $0) }) else { throw .unknown }
        if call.reach != nil {
            let owner = try await read { snapshot throws(ServerTransactionFailure) in
                try snapshot.operation(id)?.userID.flatMap { id throws(ServerTransactionFailure) in
                    try snapshot.user(id)
                }
            }
            guard let owner, call.reaches(owner) else { throw .unknown }
        }
        let status = try await passing { () async throws(ServerError) in try await services.status.status(of: id) }
        guard status.status != .unknown, let members = try? JSONParser.parse(status.body).asObject() else {
            throw .unknown
        }
        return AdministrationAnswer(members)
    }
}

/// Body of a dispatch.
private struct DispatchOrder: Sendable {
    let kind: OperationKind
    let user: String?
    private let dispatcher: DispatcherName?
    private let device: String?
    private let linking: ChannelLinkingMethod?
    /// Text to confirm.
    private let text: String?
    private let scope: DeregistrationContext.Scope

    init(_ call: AdministrationCall) throws(AdministrationRefusal) {
        let names: Set = ["kind", "user", "dispatcher", "device", "linking", "text", "aaid", "keyId"]
        let members = try call.read(names) { $0 }
        func value<Value>(_ name: String, _ make: (String) -> Value?) throws(AdministrationRefusal) -> Value? {
            guard let json = members[name] else { return nil }
            guard case .string(let text) = json, let value = make(text) else { throw .malformed([name]) }
            return value
        }
        guard
            let kind = try value("kind", { word in OperationKind.allCases.first { $0.pathName == word } })
        else { throw .malformed(["kind"]) }
        self.kind = kind
        user = try value("user") { $0 }
        dispatcher = try value("dispatcher") { DispatcherName(rawValue: $0) }
        device = try value("device") { $0 }
        linking = try value("linking") { ChannelLinkingMethod(rawValue: $0) }
        text = try value("text") { $0 }
        guard text == nil || kind == .authentication else { throw .malformed(["text"]) }
        let model = try value("aaid") { AAID($0) }
        let key = try value("keyId") { KeyID(base64URL: $0) }
        guard model == nil || kind == .deregistration else { throw .malformed(["aaid"]) }
        guard key == nil || model != nil else { throw .malformed(["keyId"]) }
        scope =
            model.map { model in
                key.map { .keys([CredentialID(aaid: model, keyID: $0)]) } ?? .models([model])
            } ?? .everything
    }

    /// Request for a user, by the named dispatcher, the one of the named phone, or the first that needs no phone.
    func request(
        for user: User?, among configured: [DispatcherName]
    ) throws(AdministrationRefusal) -> DispatchRequest {
        let byPreference: [DispatcherName] = [.link, .linkPNGQRCode, .pngQRCode, .firebaseCloudMessaging]
        let name = dispatcher ?? (device == nil ? byPreference.first(where: configured.contains) : nil)
        guard name.map({ configured.contains($0) }) ?? (device != nil) else {
            throw .rule(
                configured.isEmpty
                    ? "no dispatcher is configured: add one under fido-uaf.dispatchers, for example { type: png-qr-code }"
                    : "no such dispatcher is configured; there is \(configured.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return DispatchRequest(
            try message(for: user), dispatcher: name, dispatchTargetID: device, channelLinking: linking)
    }

    private func message(for user: User?) throws(AdministrationRefusal) -> GetUAFRequest {
        let transactions = text.map { [Transaction(contentType: .plainText, content: Array($0.utf8))] } ?? []
        switch (kind, user?.name) {
        case (.authentication, let name):
            return GetUAFRequest(AuthenticationContext(username: name, transactions: transactions))
        case (.registration, let name?): return GetUAFRequest(RegistrationContext(username: name))
        case (.deregistration, let name?): return GetUAFRequest(DeregistrationContext(username: name, scope: scope))
        case (_, nil): throw .malformed(["user"])
        }
    }
}
