import Octets
import ServerCore

/// Issue of codes: a grant, its code, and the answer that the browser carries back.
struct AuthorizationCodeIssuer: Sendable {
    let settings: OpenIDSettings.Provider
    let issuer: String
    let clock: any WallClock
    let random: any RandomSource

    /// Code of one answer, drawn before the transaction that stores its hash.
    struct Draft: Sendable {
        let text: Sensitive<String>
        let code: AuthorizationCode
        let grant: Grant
        let event: AuditEvent
        let removalWait: Duration?

        /// Stores grant and code when what was confirmed lets the user in; else nothing is written.
        ///
        /// Codes of one session and confirmation, client and scopes share a grant: a loop of silent sign-ins makes one.
        func write(in transaction: any OpenIDTransaction) throws(ServerTransactionFailure) -> SignInVerdict {
            guard let user = try transaction.lockUser(grant.userID) else { return .ended }
            let admission = try transaction.admission(by: grant, of: user, at: grant.createdAt, wait: removalWait)
            guard admission == .granted else { return admission }
            var code = code
            if let session = grant.session,
                let known = try transaction.grants(in: session).first(where: grant.isRepeated)
            {
                code.grant = known.id
                try transaction.prolong(known.id, until: grant.expiresAt)
            } else {
                try transaction.insert(grant)
                try transaction.append(event)
            }
            try transaction.insert(code)
            return .granted
        }
    }

    func draft(
        _ parameters: AuthorizationParameters, _ confirmation: Confirmation, session: BrowserSession?,
        recording kind: AuditEvent.Kind = .clientGrantIssued, from context: ClientContext
    ) -> Draft {
        let now = clock.now()
        let grant = Grant(
            id: GrantID(from: random), client: parameters.client, session: session?.id, scopes: parameters.scopes,
            confirmation: confirmation, createdAt: now,
            expiresAt: settings.grantEnd(of: parameters.scopes, from: now, in: session))
        let text = random.secret()
        let code = AuthorizationCode(
            hash: AuthorizationCodeHash(of: text.reveal().utf8), grant: grant.id, client: parameters.client,
            redirect: parameters.redirect, codeChallenge: parameters.codeChallenge, key: parameters.key,
            nonce: parameters.nonce, expiresAt: now + settings.codeLifetime)
        var event = AuditEvent(kind, of: grant, by: grant.client, at: now, from: context).about(confirmation.user)
        if kind == .signedIn { event.channel = .session }
        return Draft(text: text, code: code, grant: grant, event: event, removalWait: settings.removalWait)
    }

    // MARK: - Answers

    /// Answer with a code (RFC 6749, 4.1.2) and the issuer (RFC 9207), by which a client notices a mix-up.
    func answer(_ draft: Draft, to parameters: AuthorizationParameters) -> AuthorizationAnswer.Destination {
        destination(parameters.answerAddress, [("code", draft.text.reveal())])
    }

    /// Answer with an error (RFC 6749, 4.1.2.1).
    func refusal(_ refusal: OpenIDRefusal, to address: AnswerAddress) -> AuthorizationAnswer {
        var pairs = [(name: "error", value: refusal.code.rawValue)]
        if let words = refusal.description { pairs.append((name: "error_description", value: words)) }
        return AuthorizationAnswer(destination(address, pairs), refusal: refusal.of(address.client))
    }

    private func destination(
        _ address: AnswerAddress, _ answer: [(name: String, value: String)]
    ) -> AuthorizationAnswer.Destination {
        var pairs = answer
        if let state = address.state { pairs.append((name: "state", value: state)) }
        pairs.append((name: "iss", value: issuer))
        switch address.mode {
        case .formPost: return .form(AnswerForm(redirect: address.redirect, fields: Sensitive(pairs)))
        case .query:
            let mark = address.redirect.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return .redirect(Sensitive(address.redirect.text + mark + FormPairs.encode(pairs)))
        }
    }
}
