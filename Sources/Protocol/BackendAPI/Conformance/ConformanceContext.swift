import StrictJSON
public import UAF

/// Context that the conformance tool sends to `/get`.
///
/// The tool has one context for all operations; the server turns it into the operation's own.
///
/// ```swift
/// let request = try GetUAFRequest(body: body).translatedFromConformance()
/// let username = try request.context(as: RegistrationContext.self).username
/// ```
public struct ConformanceContext: Sendable {
    /// The user.
    public let username: UserName?
    /// A text to confirm.
    public let transaction: String?
    /// The authenticator model to deregister.
    public let deregisterAAID: AAID?
    /// Whether everything is to be deregistered.
    public let deregisterAll: Bool

    /// A context.
    public init(
        username: UserName?, transaction: String? = nil, deregisterAAID: AAID? = nil, deregisterAll: Bool = false
    ) {
        self.username = username
        self.transaction = transaction
        self.deregisterAAID = deregisterAAID
        self.deregisterAll = deregisterAll
    }
}

extension ConformanceContext: StrictlyCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            transaction: try members.optionalString("transaction"),
            deregisterAAID: try members.optional("deregisterAAID") { value throws(JSONTypeError) in
                guard let aaid = AAID(try value.asString()) else { throw JSONTypeError(.invalidForm) }
                return aaid
            },
            deregisterAll: try members.optional("deregisterAll") { value throws(JSONTypeError) in
                try value.asBool()
            } ?? false)
    }

    var json: JSONValue {
        .object([
            "username": (username?.text).map(JSONValue.string),
            "transaction": transaction.map(JSONValue.string),
            "deregisterAAID": (deregisterAAID?.text).map(JSONValue.string),
            "deregisterAll": deregisterAll ? .bool(true) : nil,
        ])
    }
}

extension GetUAFRequest {
    /// The same request in the format of the request services, for the dictionary that the conformance tool sends.
    ///
    /// Throws ``BackendAPIError/unexpectedOperation`` for an operation UAF does not have and
    /// ``BackendAPIError/unreadableContext(path:)`` when the context cannot be read or misses what it needs.
    public func translatedFromConformance() throws(BackendAPIError) -> GetUAFRequest {
        guard let contextText else { throw .unreadableContext(path: []) }
        let context = try ConformanceContext(text: contextText)
        switch operation {
        case .registration:
            guard let username = context.username else { throw .unreadableContext(path: ["username"]) }
            return GetUAFRequest(RegistrationContext(username: username))
        case .authentication:
            let transactions =
                context.transaction.map { [Transaction(contentType: .plainText, content: Array($0.utf8))] } ?? []
            return GetUAFRequest(AuthenticationContext(username: context.username, transactions: transactions))
        case .deregistration:
            return GetUAFRequest(
                DeregistrationContext(username: context.username, scope: try context.deregistrationScope()))
        case nil: throw .unexpectedOperation
        }
    }
}

extension ConformanceContext {
    fileprivate func deregistrationScope() throws(BackendAPIError) -> DeregistrationContext.Scope {
        if deregisterAll { return .everything }
        guard let deregisterAAID else { throw .unreadableContext(path: ["deregisterAAID"]) }
        return .models([deregisterAAID])
    }
}
