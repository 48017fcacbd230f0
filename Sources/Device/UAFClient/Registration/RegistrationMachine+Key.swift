import UAF

// What the user chooses, the key that is made, and what the server says to it.
extension RegistrationMachine {
    // MARK: - With the user

    mutating func afterChoice(_ validated: ValidatedRequest, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(event.failure, validated) }
        guard let selected = validated.authenticator(ofModel: text) else {
            return report(.fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("aaid")), validated)
        }
        return if let kind = selected.kind.secretKind { ask(selected, kind, flaw: nil) } else { announce(selected) }
    }

    private mutating func ask(_ selected: SelectedAuthenticator, _ kind: SecretKind, flaw: SecretFlaw?) -> Next {
        progress.enter(.enrolling(selected, kind), .enroll(selected.question(kind, flaw: flaw)))
    }

    mutating func afterSecret(_ selected: SelectedAuthenticator, _ kind: SecretKind, _ event: Event) -> Next {
        guard case .secret(.given(let secret)) = event else { return report(event.failure, selected.validated) }
        return progress.enter(.judging(selected, kind), .judge(kind, secret, selected.validated.limit))
    }

    mutating func afterJudgement(_ selected: SelectedAuthenticator, _ kind: SecretKind, _ event: Event) -> Next {
        guard case .judged(let judgement) = event else { return report(event.failure, selected.validated) }
        return switch judgement {
        case .refused(let flaw): ask(selected, kind, flaw: flaw)
        case .accepted(let secret): create(selected, .secret(secret))
        }
    }

    private mutating func announce(_ selected: SelectedAuthenticator) -> Next {
        progress.enter(.announcing(selected), .confirmPresence(selected.presenceQuestion))
    }

    mutating func afterAnnouncement(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .presence(.given(let request)) = event else { return report(event.failure, selected.validated) }
        return create(selected, .presence(request))
    }

    // MARK: - With the key

    private mutating func create(_ selected: SelectedAuthenticator, _ consent: KeyConsent<Values>) -> Next {
        let choices = parameters.choices.complete(fallbackExcludesInvalidation: parameters.refusesContradictions)
        let key = selected.key(at: parameters.server, choices)
        return progress.enter(.creating(selected), .createKey(key, consent, selected.validated.limit))
    }

    mutating func afterCreation(_ selected: SelectedAuthenticator, _ event: Event) -> Next {
        guard case .creation(let outcome) = event else { return report(event.failure, selected.validated) }
        switch outcome {
        case .made(let key):
            let username = selected.validated.request.username
            return progress.enter(
                .sending(key.credential, username), .sendResponse(selected.validated.response(key.assertion), username))
        case .refused(let refusal):
            var selected = selected
            guard selected.tries.count(refusal) else { return report(.fido(.userLockout), selected.validated) }
            return announce(selected)
        }
    }

    // MARK: - With the server

    /// Status 1200 keeps the key, another status deletes it, no answer leaves it pending (a later policy may name it).
    mutating func afterSending(_ credential: CredentialID, _ username: UserName, _ event: Event) -> Next {
        // Canceled before anything was sent: the server cannot know the key.
        guard case .verdict(let verdict) = event else { return discard(credential, event.failure) }
        switch verdict {
        case .accepted(let issued, let target):
            let introduction = target == nil ? Introduction(username: username, issued: issued) : nil
            return progress.enter(.confirming(introduction), .confirm(credential, target: target))
        case .postponed:
            return discard(credential, .fido(.protocolError, cause: CeremonyFault.refused(.accepted)))
        case .refused(let status):
            return discard(credential, .fido(.protocolError, cause: CeremonyFault.refused(status)))
        case .rejected(let failure): return discard(credential, failure)
        case .unknown(let error): return progress.fail(.unreachable(error))
        }
    }

    private mutating func discard(_ credential: CredentialID, _ failure: CeremonyFailure) -> Next {
        progress.enter(.discarding(failure), .discard(credential))
    }

    mutating func afterConfirming(_ introduction: Introduction?, _ event: Event) -> Next {
        guard case .done = event else { return progress.fail(event.failure) }
        guard let introduction else { return progress.finish(.success(())) }
        return progress.enter(.introducing, .introduce(introduction.username, introduction.issued))
    }
}
