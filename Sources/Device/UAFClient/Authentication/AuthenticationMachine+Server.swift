import Octets
import UAF

// What the server says to the response (FIDO UAF Protocol 1.1 section 3.5.7).
extension AuthenticationMachine {
    mutating func send(_ answer: Answer, _ retries: RetrySchedule) -> Next {
        progress.enter(
            .sending(answer, retries),
            .sendResponse(answer.response, answer.server, linkingDigits: answer.linkingDigits))
    }

    mutating func afterSending(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .verdict(let verdict) = event else { return progress.fail(event.failure) }
        switch verdict {
        case .accepted(let authorization, _): return progress.finish(.success(authorization))
        case .postponed:
            var retries = retries
            guard let delay = retries.next() else {
                return progress.fail(.fido(.protocolError, cause: CeremonyFault.refused(.accepted)))
            }
            return progress.enter(.waiting(answer, retries), .wait(delay))
        case .refused(.unknownKeyID):
            let failure = CeremonyFailure.fido(.protocolError, cause: CeremonyFault.refused(.unknownKeyID))
            return progress.enter(.marking(failure, nil), .markUnusable(answer.credential))
        case .refused(let status):
            return progress.fail(.fido(.protocolError, cause: CeremonyFault.refused(status)))
        case .rejected(let failure): return progress.fail(failure)
        case .unknown(let error): return progress.fail(.unreachable(error))
        }
    }

    mutating func afterWait(_ answer: Answer, _ retries: RetrySchedule, _ event: Event) -> Next {
        guard case .done = event else { return progress.fail(event.failure) }
        return send(answer, retries)
    }
}
