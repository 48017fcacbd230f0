import ServerCore
import UAF

/// Ends of ceremonies: consumed challenges, with what the status service shows of in-band ceremonies.
extension SQLTransaction {
    func consumptionWatermark() throws(ServerTransactionFailure) -> Timestamp {
        // What is forgotten meanwhile would be consumed again.
        try passed { () throws(ServerPersistenceError) in try connection.lock(.consumption) }
        let mark = try row(
            "SELECT purged_before FROM consumption_watermark WHERE id = 1", []
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "consumption_watermark")
            return Timestamp(milliseconds: try reader.integer("purged_before"))
        }
        // A table that has lost its row lets nothing pass.
        return mark ?? Timestamp(milliseconds: .max)
    }

    func consumeChallenge(of outcome: CeremonyOutcome) throws(ServerTransactionFailure) -> Bool {
        try execute(AnswerRow.insertion, AnswerRow.insertion(outcome)) == 1
    }

    func setStatus(
        _ status: StatusCode, ofCeremonyWith challenge: ChallengeHash
    ) throws(ServerTransactionFailure) {
        try enqueue(AnswerRow.refusal, [.integer(Int64(status.rawValue)), .blob(challenge.octets)])
    }

    func endedCeremony(_ id: CeremonyID) throws(ServerTransactionFailure) -> EndedCeremony? {
        try row(AnswerRow.selection, [.blob(id.octets)], as: AnswerRow.ended)
    }
}
