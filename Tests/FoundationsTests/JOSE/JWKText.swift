import CryptoExtras
import JOSE
import Octets
import StrictJSON

/// Keys in spellings that tests need and the product never writes.
enum JWKText {
    /// The JSON text of a key that says nothing about its use.
    static func withoutUse(_ key: JWK) throws -> [UInt8] {
        JSONWriter.write(
            .object(JSONObject(distinct: key.members.members.filter { $0.name != "use" && $0.name != "alg" })))
    }

    /// The public key of a pair, to be encrypted to.
    static func key(of pair: _RSA.Encryption.PrivateKey) throws -> JWK {
        let numbers = try pair.publicKey.getKeyPrimitives()
        return try JWK(encrypting: .rsa(modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent)))
    }
}
