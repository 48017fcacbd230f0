import ServerCore
import UAF

/// Ends of ceremonies: consumed challenges, with what the status service shows of in-band ceremonies.
extension SQLTransaction {
    func consumptionWatermark() throws(ServerTransactionFailure) -> Timestamp {
        // What is forgotten meanwhile would be consumed again.
        try passed { () throws(ServerPersistenceError) in
            try connection.lock(.consumption)
            return try AnswerRow.watermark(connection)
        }
    }

    func consumeChallenge(of outcome: CeremonyOutcome) throws(ServerTransactionFailure) -> Bool {
        try execute(AnswerRow.insertion, AnswerRow.insertion(outcome)) == 1
    }

    func setStatus(
        _ status: StatusCode, ofCeremonyWith challenge: ChallengeHash, expiringAt time: Timestamp
    ) throws(ServerTransactionFailure) {
        try enqueue(
            AnswerRow.refusal, [.integer(Int64(status.rawValue))] + AnswerRow.key(challenge, expiringAt: time))
    }

    func endedCeremony(_ id: CeremonyID) throws(ServerTransactionFailure) -> EndedCeremony? {
        try row(AnswerRow.selection, [.blob(id.octets)], as: AnswerRow.ended)
    }
}
