import UAF

// What the user chooses and how they are verified (FIDO UAF Protocol 1.1 section 3.5.7).
extension AuthenticationMachine {
    // MARK: - The choices of the user

    mutating func choose(_ candidates: [AccountCandidate]) -> Next {
        candidates[0].validated.deviceContext.username == nil ? selectAccount(candidates) : link(candidates[0])
    }

    private mutating func selectAccount(_ candidates: [AccountCandidate]) -> Next {
        let validated = candidates[0].validated
        let question = AccountQuestion(
            shown: validated.authenticators(of: candidates[0].username).shown(kinds: parameters.verifiable),
            candidates: candidates.map { .init(username: $0.username, accepted: $0.accepted.map(\.aaid)) },
            transactionText: validated.transaction?.octets, limit: validated.limit)
        return progress.enter(.selectingAccount(candidates), .selectAccount(question))
    }

    mutating func afterAccount(_ candidates: [AccountCandidate], _ event: Event) -> Next {
        let validated = candidates[0].validated
        guard case .choice(.given(let text)) = event else { return report(event.failure, validated) }
        guard let username = UserName(text), let candidate = candidates.first(where: { $0.username == username }) else {
            return report(
                .fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("username")), validated)
        }
        return link(candidate)
    }

    private mutating func link(_ candidate: AccountCandidate, wasMalformed: Bool = false) -> Next {
        guard let demand = parameters.linking else { return select(candidate) }
        return progress.enter(
            .linking(candidate, demand), .linkChannel(candidate.question(demand, wasMalformed: wasMalformed)))
    }

    mutating func afterLinking(_ candidate: AccountCandidate, _ demand: LinkingDemand, _ event: Event) -> Next {
        guard case .choice(.given(let digits)) = event else { return report(event.failure, candidate.validated) }
        switch demand.judgement(of: digits) {
        case .malformed: return link(candidate, wasMalformed: true)
        case .different: return report(.canceled, candidate.validated)
        case .accepted: return select(candidate.linked(by: digits))
        }
    }

    private mutating func select(_ candidate: AccountCandidate) -> Next {
        progress.enter(.selecting(candidate), .selectAuthenticator(candidate.question(parameters.verifiable)))
    }

    mutating func afterChoice(_ candidate: AccountCandidate, _ event: Event) -> Next {
        guard case .choice(.given(let text)) = event else { return report(event.failure, candidate.validated) }
        guard let selected = candidate.key(ofModel: text) else {
            return report(
                .fido(.noSuitableAuthenticator, cause: CeremonyFault.invalidParameter("aaid")), candidate.validated)
        }
        let credential = selected.credential
        guard candidate.isPending(credential), candidate.isReplacement(credential) else { return begin(selected) }
        return progress.enter(.replacing(selected), .promote([credential]))
    }

    /// The key that the user chose replaces another one for the same authenticator.
    mutating func afterReplacement(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .done = event else { return report(event.failure, selected.validated) }
        return begin(selected)
    }

    // MARK: - The verification of the user

    private mutating func begin(_ selected: SelectedKey) -> Next {
        selected.kind.secretKind == nil
            ? announce(selected) : progress.enter(.readingProtection(selected), .readProtection(selected.credential))
    }

    mutating func afterReading(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .protection(let protection) = event else { return fail(selected, event) }
        return ask(selected, protection)
    }

    private mutating func ask(_ selected: SelectedKey, _ protection: ProtectionReport) -> Next {
        guard let question = selected.question(protection) else {
            return report(.fido(.userLockout), selected.validated)
        }
        return progress.enter(.verifying(selected), .verify(question))
    }

    mutating func afterSecret(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .secret(.given(let secret)) = event else { return report(event.failure, selected.validated) }
        return sign(selected, .secret(secret))
    }

    private mutating func announce(_ selected: SelectedKey) -> Next {
        progress.enter(.announcing(selected), .confirmPresence(selected.presenceQuestion))
    }

    mutating func afterAnnouncement(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .presence(.given(let request)) = event else { return report(event.failure, selected.validated) }
        return sign(selected, .presence(request))
    }

    private mutating func sign(_ selected: SelectedKey, _ consent: KeyConsent<Values>) -> Next {
        progress.enter(.signing(selected), .sign(selected.signature, consent, selected.validated.limit))
    }

    mutating func afterSigning(_ selected: SelectedKey, _ event: Event) -> Next {
        guard case .signature(let outcome) = event else { return fail(selected, event) }
        switch outcome {
        case .refused(let protection): return ask(selected, protection)
        case .unconfirmed(let refusal):
            var selected = selected
            guard selected.tries.count(refusal) else { return report(.fido(.userLockout), selected.validated) }
            return announce(selected)
        case .signed(let assertion): return send(selected.answer(assertion), parameters.retries)
        }
    }

    /// Ends an operation whose authenticator failed; a key that is gone is marked first.
    private mutating func fail(_ selected: SelectedKey, _ event: Event) -> Next {
        let failure = event.failure
        guard case .fido(.keyDisappearedPermanently, _) = failure else { return report(failure, selected.validated) }
        return progress.enter(.marking(failure, selected.validated), .markUnusable(selected.credential))
    }
}
