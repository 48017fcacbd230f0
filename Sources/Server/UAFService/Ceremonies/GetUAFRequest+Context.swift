import BackendAPI
import ServerCore
import UAF

extension GetUAFRequest {
    /// The context of the request; throws status 1400 for one that cannot be read.
    func readContext<Context: RequestContext>(as type: Context.Type) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try context(as: type)
        } catch {
            throw .refused(.badRequest)
        }
    }
}

extension OutOfBandCeremony {
    /// The context of the request that the operation stands for; throws status 1400 for one that cannot be read.
    func readContext<Context: RequestContext>(as type: Context.Type) throws(ServerError) -> Context {
        do throws(BackendAPIError) {
            return try Context(text: requestContext)
        } catch {
            throw .refused(.badRequest)
        }
    }
}

extension UAFSettings {
    /// Throws status 1400 for a content that is no text, empty or too long, or holds characters that could show
    /// something else than what is signed.
    func requireAcceptable(_ transaction: Transaction) throws(ServerError) {
        guard transaction.contentType == .plainText, !transaction.content.isEmpty,
            transaction.content.count <= transactionMaximumByteCount,
            let text = String(validating: transaction.content, as: UTF8.self),
            !text.unicodeScalars.contains(where: Self.isTreacherous)
        else { throw .refused(.badRequest) }
    }

    /// Control characters other than line breaks, and everything that changes the direction of writing.
    private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
