//! Sets of IP addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net};

/// A set of IP addresses, as a list of networks.
#[derive(Clone, Debug, Default)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Reads addresses (`10.0.0.1`) and networks (`10.0.0.0/8`); empty entries are ignored.
    pub fn parse(list: &[String]) -> Result<Self, String> {
        let texts = list.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        texts.map(network).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the addresses of the machine itself.
    pub(super) fn loopback() -> Self {
        Self(vec![Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8).into(), IpAddr::from(Ipv6Addr::LOCALHOST).into()])
    }

    /// Checks whether an address is in the set. An IPv4 address mapped into IPv6 counts as IPv4.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

fn network(text: &str) -> Result<IpNet, String> {
    let single = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse()
        .or_else(|_| single())
        .map_err(|_| format!("“{text}” is not an IP address or a network such as 10.0.0.0/8"))
}
