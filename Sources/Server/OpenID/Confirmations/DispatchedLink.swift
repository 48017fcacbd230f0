import BackendAPI
import Octets
import QRCode
import ServerCore
import UAFService

extension OutOfBandService {
    /// Dispatcher that makes links for screens of web sites; throws ``ServerError/dispatcherUnknown`` without one.
    var linkDispatcher: DispatcherName {
        get throws(ServerError) {
            let names = dispatchers.current.all.filter { !$0.requiresTarget }.map(\.name)
            guard let name = [DispatcherName.linkPNGQRCode, .link].first(where: { names.contains($0) }) else {
                throw ServerError.dispatcherUnknown
            }
            return name
        }
    }
}

extension DispatcherInformation {
    /// The link with its picture; nil for a push.
    ///
    /// Throws ``ServerError/sealingFailed`` for one that fits no code.
    func linkForPhone() throws(ServerError) -> LinkForPhone? {
        let link: LinkForPhone?
        if name == .link {
            guard let picture = try? QRMatrix(encoding: response).png() else { throw .sealingFailed }
            link = LinkForPhone(text: response, picture: picture)
        } else if let codeText, let picture = try? Base64.decode(response) {
            link = LinkForPhone(text: codeText, picture: picture)
        } else {
            return nil
        }
        guard let link else { throw .sealingFailed }
        return link
    }
}
