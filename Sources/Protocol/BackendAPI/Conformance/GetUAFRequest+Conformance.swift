import UAF

extension GetUAFRequest {
    /// The same request in the words of the request services, for the dictionary that the conformance tool sends.
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
