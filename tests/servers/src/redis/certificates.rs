//! Certificates of one server, signed by a CA created for that server only.
#![expect(clippy::expect_used, reason = "a certificate that cannot be made is a failed test")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};

/// Paths of PEM files, which exist as long as the server they were created for.
#[derive(Clone, Debug)]
pub struct Certificates {
    /// The certificate of the CA that signed the others.
    pub authority: PathBuf,
    /// The server's certificate, for `localhost` and 127.0.0.1.
    pub server: PathBuf,
    /// The key of the server's certificate (PKCS #8).
    pub server_key: PathBuf,
    /// A client certificate that the server accepts.
    pub client: PathBuf,
    /// The key of the client's certificate (PKCS #8).
    pub client_key: PathBuf,
}

impl Certificates {
    /// Creates the files in `directory`.
    pub(crate) fn create(directory: &Path) -> Self {
        let authority_key = KeyPair::generate().expect("a new key");
        let mut authority = named("Firmquote test authority", &[]);
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = authority.self_signed(&authority_key).expect("valid parameters");
        let issuer = Issuer::new(authority, authority_key);
        let hosts = ["localhost", "127.0.0.1"];
        let (server, server_key) = signed(&issuer, named("server", &hosts), ExtendedKeyUsagePurpose::ServerAuth);
        let (client, client_key) = signed(&issuer, named("client", &[]), ExtendedKeyUsagePurpose::ClientAuth);
        let written = |name: &str, pem: String| {
            let path = directory.join(name);
            fs::write(&path, pem).expect("a writable directory");
            path
        };
        Self {
            authority: written("authority.pem", certificate.pem()),
            server: written("server.pem", server),
            server_key: written("server-key.pem", server_key),
            client: written("client.pem", client),
            client_key: written("client-key.pem", client_key),
        }
    }
}

fn named(name: &str, hosts: &[&str]) -> CertificateParams {
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let mut parameters = CertificateParams::new(hosts).expect("valid host names");
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters
}

/// Returns a certificate signed by `issuer` and its key, both in PEM.
fn signed(
    issuer: &Issuer<'_, KeyPair>,
    mut parameters: CertificateParams,
    purpose: ExtendedKeyUsagePurpose,
) -> (String, String) {
    let key = KeyPair::generate().expect("a new key");
    parameters.use_authority_key_identifier_extension = true;
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    parameters.extended_key_usages = vec![purpose];
    let certificate = parameters.signed_by(&key, issuer).expect("valid parameters");
    (certificate.pem(), key.serialize_pem())
}
