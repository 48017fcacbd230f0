import Octets
import ServerCore

/// Exchange of a code or a refresh token for tokens: what a transaction found, and the response that follows from it.
struct TokenExchange: Sendable {
    let receipts: any ReceiptIssuer
    let issue: TokenIssuer
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock

    /// Grant of an exchange, as the transaction found it.
    struct Found: Sendable {
        let grant: Grant
        let person: UserClaims
        let scopes: Set<ScopeName>
        /// Tokens of the answer; of those drawn, the ones that are stored.
        let draft: TokenIssuer.Draft
        /// `nonce` of the request whose code was exchanged.
        var nonce: String?
    }

    /// Verdict of a transaction, which keeps what it has written in either case.
    enum Verdict: Sendable {
        case granted(Found)
        case refused(OpenIDRefusal.Code, cause: String? = nil)

        static let repeatedProof = Verdict.refused(.invalidDPoPProof, cause: KeyProof.isRepeated)
    }

    func answer(
        _ verdict: Verdict, to client: RegisteredClient, isFirst: Bool
    ) async throws(OpenIDRefusal) -> [UInt8] {
        switch verdict {
        case .refused(let code, let cause): throw OpenIDRefusal(code, cause: cause)
        case .granted(let found):
            var token = IDToken(
                grant: found.grant, person: found.person, accessToken: found.draft.access, scopes: found.scopes)
            do throws(ServerError) {
                if isFirst {
                    token.nonce = found.nonce
                    // Sites keep the claims in a cookie, for which a receipt is too large; others have no use for one.
                    if client.mayAskForConfirmation {
                        token.receipt = try await receipts.receipt(
                            of: found.grant.ceremony, for: .client(client.id))
                    }
                }
                return try await issue.body(token, found.draft, for: client)
            } catch {
                throw OpenIDRefusal(error)
            }
        }
    }
}
